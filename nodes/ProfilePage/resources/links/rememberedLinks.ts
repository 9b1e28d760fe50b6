import type { IDataObject } from 'n8n-workflow';

import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';

const REMEMBERED_FOR_MS = 3_600_000;

/** A link, with its address as it is compared. */
export interface KnownLink {
	readonly link: IDataObject;
	readonly exact: string;
	readonly loose: string;
}

export function toKnown(link: IDataObject): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, exact, loose: normalizeLoosely(exact) };
}

export function idOf({ link: { link_id: id } }: KnownLink): string {
	return asText(id);
}

/** A link that counts for some time, though the list need not contain it. */
export interface RememberedLink extends KnownLink {
	/** When it was created, or listed last. */
	readonly at: number;
	/** How many links were created here before it; undefined for one that was listed, until newer ones pushed it out. */
	readonly number?: number;
}

/** Whether something of this time is remembered: it is not too long ago. */
export function isRemembered(at = 0): boolean {
	return at > Date.now() - REMEMBERED_FOR_MS;
}

/** Links by their IDs and addresses, at most one for each ID. However many there are, nothing takes longer. */
export class RememberedLinks {
	/** The oldest first. A link without an ID is its own key. */
	readonly #byId = new Map<string | KnownLink, RememberedLink>();
	readonly #byAddress = new Map<string, Set<RememberedLink>>();

	all(): Iterable<RememberedLink> {
		return this.#byId.values();
	}

	/** Returns the links whose addresses are the same if they are compared loosely, the newest first. */
	findLoosely({ loose }: KnownLink): RememberedLink[] {
		return [...(this.#byAddress.get(loose) ?? [])].toSorted((a, b) => (b.number ?? -1) - (a.number ?? -1));
	}

	/** Adds a link, and forgets those that are too old. */
	add(link: RememberedLink): void {
		const key = idOf(link) || link;
		this.remove(key);
		this.#byId.set(key, link);
		getOrCreate(this.#byAddress, link.loose, () => new Set<RememberedLink>()).add(link);
		for (const [oldest, { at }] of this.#byId) {
			if (isRemembered(at)) return;
			this.remove(oldest);
		}
	}

	/** Adds a link that newer ones have pushed out of the list. One that was created here keeps the address that was sent. */
	addPushedOut(link: KnownLink, at: number): void {
		this.add({ ...link, ...this.#byId.get(idOf(link)), at, number: undefined });
	}

	remove(id: string | KnownLink): void {
		const link = this.#byId.get(id);
		const sameAddress = link && this.#byAddress.get(link.loose);
		if (!sameAddress) return;
		this.#byId.delete(id);
		sameAddress.delete(link);
		if (sameAddress.size === 0) this.#byAddress.delete(link.loose);
	}

	update(id: string, change: (link: RememberedLink) => RememberedLink): void {
		const link = this.#byId.get(id);
		if (link) this.add(change(link));
	}

	clear(): void {
		this.#byId.clear();
		this.#byAddress.clear();
	}
}

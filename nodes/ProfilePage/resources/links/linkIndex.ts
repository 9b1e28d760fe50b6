import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';

/** A link, with its address as it is compared. */
export interface KnownLink {
	readonly link: IDataObject;
	/** Its ID; if that is unknown, one that no other link has. */
	readonly id: string;
	readonly exact: string;
	readonly loose: string;
	/** Whether it may have another title by now: a service may clear one that is not sent. */
	readonly isTitleUncertain?: boolean;
	/** Since when it is public, if it was scheduled here. */
	readonly publicFrom?: string;
}

export function toKnown(link: IDataObject): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, id: asText(link.link_id) || randomUUID(), exact, loose: normalizeLoosely(exact) };
}

/** Links by ID and by address, in the order in which they were added. */
export class LinkIndex<T extends KnownLink = KnownLink> {
	readonly #byId = new Map<string, T>();
	/** Loosely: links with exactly the same address are among these. */
	readonly #byAddress = new Map<string, Set<T>>();

	constructor(links: Iterable<T> = []) {
		for (const each of links) this.add(each);
	}

	[Symbol.iterator](): Iterator<T> {
		return this.#byId.values();
	}

	get(id: string): T | undefined {
		return this.#byId.get(id);
	}

	/** Returns the links with an address that is loosely the same. */
	at({ loose }: KnownLink): T[] {
		return [...(this.#byAddress.get(loose) ?? [])];
	}

	/** Adds a link, in place of one with the same ID. */
	add(link: T): void {
		this.delete(link.id);
		this.#byId.set(link.id, link);
		getOrCreate(this.#byAddress, link.loose, () => new Set<T>()).add(link);
	}

	delete(id: string): void {
		const link = this.#byId.get(id);
		const others = link && this.#byAddress.get(link.loose);
		if (!link || !others) return;
		this.#byId.delete(id);
		others.delete(link);
		if (others.size === 0) this.#byAddress.delete(link.loose);
	}
}

import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/failure';
import { asText, getOrCreate, isId } from '../../shared/values';
import { type Address, toAddress } from './addresses';
import { type LinkForm, toLinkId } from './linkRequests';

/** For how long a change counts, in milliseconds: a service may list links as they were a minute ago, and a list is used for a minute. */
const RECENT_FOR_MS = 120_000;

/** A link, with its address as it is compared. */
export interface KnownLink extends Address {
	/** As the service lists it. */
	readonly fields: IDataObject;
	/** Its ID; if that is unknown, one that no other link has. */
	readonly id: string;
	/** Whether it may have another title by now: a service may clear one that is not sent. */
	readonly isTitleUncertain?: boolean;
	/** Since when it is public, if it was scheduled here. */
	readonly publicFrom?: string;
}

export function toKnown(fields: IDataObject): KnownLink {
	return { fields, id: asText(fields.link_id) || randomUUID(), ...toAddress(asText(fields.link)) };
}

/** A link that was created, updated, or deleted, as far as that says what it is now. */
interface ChangedLink extends KnownLink {
	/** When it was changed last, in milliseconds since 1970. */
	readonly changedAt: number;
	/** What was updated of what lists contain. */
	readonly updated: Pick<LinkForm, 'title' | 'link'>;
	readonly isDeleted: boolean;
}

/**
 * What this process has done to the links of an account in the last two minutes, in any execution. Lists may be older, so
 * it overrides them.
 */
export class RecentChanges {
	/** How many changes may have been made, or have an unknown ID: a list that was read before the last one is read again. */
	uncertainCount = 0;
	/** By ID, the oldest change first, and by address. */
	readonly #links = new Map<string, ChangedLink>();
	readonly #byAddress = new Map<string, Set<ChangedLink>>();

	/** Returns a copy, so that what it notes from then on counts for itself. */
	copy(): RecentChanges {
		const copy = new RecentChanges();
		copy.uncertainCount = this.uncertainCount;
		for (const each of this.#links.values()) copy.#add(each);
		return copy;
	}

	/** Returns the links that were created with an address that is loosely the same, or got it, the newest first. */
	withAddress({ loose }: Address): KnownLink[] {
		return [...(this.#byAddress.get(loose) ?? [])].filter(isRecent).toReversed();
	}

	/** Returns a link as it is now: with the fields that were updated; undefined if it was deleted. */
	apply(link: KnownLink): KnownLink | undefined {
		const changed = this.#find(link.id);
		if (!changed) return link;
		const { updated, isTitleUncertain, isDeleted } = changed;
		const now = { ...link, fields: { ...link.fields, ...updated }, isTitleUncertain };
		return isDeleted ? undefined : { ...now, ...(updated.link && toAddress(updated.link)) };
	}

	noteCreated(created: KnownLink): void {
		this.#note({ ...created, updated: {}, isDeleted: false });
		// The next list may show its ID.
		if (!isId(created.fields.link_id)) this.uncertainCount += 1;
	}

	/** Notes a change of a link that was sent at a time, in milliseconds since 1970. */
	noteChange(id: string, change: LinkForm | 'deleted' | 'maybe moved', sentAt = Infinity): void {
		const earlier = this.#find(id);
		if (earlier?.isDeleted) return;
		const { title, link } = typeof change === 'string' ? {} : change;
		const before = change === 'maybe moved' ? {} : earlier?.updated;
		const updated = { ...before, ...(title !== undefined && { title }), ...(link && { link }) };
		// If it may have moved or been deleted, nothing is known of it until a list shows it.
		const fields = typeof change === 'string' ? {} : { ...earlier?.fields, ...updated };
		const known = toKnown({ ...fields, link_id: toLinkId(id) });
		// Of two changes at once, nobody knows which one the service has made last.
		const isTitleUncertain = title === undefined || (earlier?.changedAt ?? 0) > sentAt;
		const isDeleted = change === 'deleted';
		this.#note({ ...known, publicFrom: earlier?.publicFrom, updated, isTitleUncertain, isDeleted });
	}

	/** Notes that a change has failed, which may have been made nevertheless; `id` is that of the link to be changed. */
	noteFailed(error: unknown, id?: string, change?: LinkForm | 'deleted'): void {
		if (error instanceof Failure && error.data.outcome === 'not applied') return;
		this.uncertainCount += 1;
		const mayHaveMoved = change === 'deleted' || change?.link !== undefined;
		if (id !== undefined) this.noteChange(id, mayHaveMoved ? 'maybe moved' : {});
	}

	#note(link: Omit<ChangedLink, 'changedAt'>): void {
		this.#remove(this.#links.get(link.id));
		this.#add({ ...link, changedAt: Date.now() });
		for (const oldest of this.#links.values()) {
			if (isRecent(oldest)) return;
			this.#remove(oldest);
		}
	}

	#add(link: ChangedLink): void {
		this.#links.set(link.id, link);
		getOrCreate(this.#byAddress, link.loose, () => new Set()).add(link);
	}

	#remove(link?: ChangedLink): void {
		if (!link) return;
		this.#links.delete(link.id);
		const others = this.#byAddress.get(link.loose);
		others?.delete(link);
		if (others?.size === 0) this.#byAddress.delete(link.loose);
	}

	#find(id: string): ChangedLink | undefined {
		const changed = this.#links.get(id);
		return changed && isRecent(changed) ? changed : undefined;
	}
}

function isRecent({ changedAt }: ChangedLink): boolean {
	return changedAt > Date.now() - RECENT_FOR_MS;
}

/** By account. There are no more than credentials. */
const byAccount = new Map<string, RecentChanges>();

export function recentChangesOf(accountId: string): RecentChanges {
	return getOrCreate(byAccount, accountId, () => new RecentChanges());
}

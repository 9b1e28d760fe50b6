import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { Failure } from '../../shared/failure';
import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';
import type { LinkForm } from './linkRequests';

/** For how long a change counts, in milliseconds: a service may list links as they were a minute ago, and a list is used for a minute. */
const RECENT_FOR_MS = 120_000;

/** A link, with its ID, which is empty if it is unknown, and its address as it is compared. */
export interface KnownLink {
	readonly link: IDataObject;
	readonly id: string;
	readonly exact: string;
	readonly loose: string;
	/** Whether it may have another title by now: a service may clear one that is not sent. */
	readonly isTitleUncertain?: boolean;
}

export function toKnown(link: IDataObject): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, id: asText(link.link_id), exact, loose: normalizeLoosely(exact) };
}

/** A link that was created here. */
export interface CreatedLink extends KnownLink {
	/** When, in milliseconds since 1970. */
	readonly at: number;
	/** Since when it is public, if it is scheduled. */
	readonly publicFrom?: string;
}

/** Fields of a link that were updated, of those that lists contain; or that it was deleted. */
type Change = (Pick<LinkForm, 'title' | 'link'> & Pick<KnownLink, 'isTitleUncertain'>) | 'deleted';

/**
 * What this process has done to the links of an account in the last two minutes, in any execution. It counts whatever lists
 * contain, which may be older.
 */
export class RecentChanges {
	/** How many changes may have been made, or have an unknown ID: a list that was read before the last one is read again. */
	uncertainCount = 0;
	/** The newest first. */
	#created: CreatedLink[] = [];
	/** By the IDs of links, the oldest first. */
	readonly #changes = new Map<string, { readonly at: number; readonly change: Change }>();

	/** The links that were created, the newest first. */
	get created(): readonly CreatedLink[] {
		this.#created.length = this.#created.findLastIndex(isRecent) + 1;
		return this.#created;
	}

	/** Returns a link as it is now: with the fields that were updated; undefined if it was deleted. */
	apply<T extends KnownLink>(known: T): T | undefined {
		const change = this.#find(known.id);
		if (change === 'deleted') return undefined;
		if (!change) return known;
		const { isTitleUncertain, ...fields } = change;
		return { ...known, ...toKnown({ ...known.link, ...fields }), isTitleUncertain };
	}

	noteCreated(created: CreatedLink): void {
		// A service may use an ID again.
		this.#changes.delete(created.id);
		this.#created = [created, ...this.created];
		// The next list may show its ID.
		if (created.id === '') this.uncertainCount += 1;
	}

	/** Notes a change of a link. */
	noteChange(linkId: string, change: LinkForm | 'deleted'): void {
		const earlier = this.#find(linkId);
		if (earlier === 'deleted') return;
		const { title, link } = change === 'deleted' ? {} : change;
		const updated = {
			...earlier,
			...(title === undefined ? { isTitleUncertain: true } : { title, isTitleUncertain: false }),
			...(link && { link }),
		};
		this.#changes.delete(linkId);
		this.#changes.set(linkId, { at: Date.now(), change: change === 'deleted' ? change : updated });
		for (const [oldest, each] of this.#changes) {
			if (isRecent(each)) return;
			this.#changes.delete(oldest);
		}
	}

	/** Notes that a change has failed, which may have been made nevertheless; `linkId` is that of the link to be changed. */
	noteFailed(error: unknown, linkId?: string, change?: LinkForm | 'deleted'): void {
		if (error instanceof Failure && error.data.outcome === 'not applied') return;
		this.uncertainCount += 1;
		if (linkId === undefined) return;
		this.noteChange(linkId, {});
		// Only a list says whether it is still there.
		if (change === 'deleted') this.#created = this.#created.filter(({ id }) => id !== linkId);
	}

	#find(linkId: string): Change | undefined {
		const found = this.#changes.get(linkId);
		return found && isRecent(found) ? found.change : undefined;
	}
}

function isRecent({ at }: { readonly at: number }): boolean {
	return at > Date.now() - RECENT_FOR_MS;
}

/** By account. There are no more than credentials. */
const byAccount = new Map<string, RecentChanges>();

export function recentChangesOf({ account }: Client): RecentChanges {
	return getOrCreate(byAccount, account.id, () => new RecentChanges());
}

/** Sends a change of a link that exists, and notes it, unless it is a preview. Throws Failure. */
export async function sendChange(
	client: Client,
	request: ServiceRequest,
	linkId: string,
	change: LinkForm | 'deleted',
): Promise<void> {
	const recent = recentChangesOf(client);
	try {
		await client.request(request, () => undefined);
		if (!client.isPreview) recent.noteChange(linkId, change);
	} catch (error) {
		recent.noteFailed(error, linkId, change);
		throw error as Error;
	}
}

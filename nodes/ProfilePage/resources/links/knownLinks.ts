import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { Failure, STOPPED } from '../../service/failure';
import { unlessAborted } from '../../service/waiting';
import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 10_000;

/** For how long a new link counts, whatever the list contains: the list of a service may be a minute old. */
const RECENT_FOR_MS = 120_000;

const REMEMBERED_FOR_MS = 3_600_000;

/** A link, with its address as it is compared. */
interface KnownLink {
	readonly link: IDataObject;
	readonly exact: string;
	readonly loose: string;
}

function toKnown(link: IDataObject): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, exact, loose: normalizeLoosely(exact) };
}

function idOf({ link: { link_id: id } }: KnownLink): string {
	return asText(id);
}

/** A link that this process has created or deleted, and when. */
interface Change extends KnownLink {
	readonly at: number;
	readonly isDeleted?: boolean;
	/** Whether it was to become public later: until then, no list shows it. */
	readonly isScheduled?: boolean;
}

/** By account. There are no more than credentials. */
const byAccount = new Map<string, KnownLinks>();

const previews = new WeakMap<Client, KnownLinks>();

/** Returns what this process knows of the links of a client's account; for a preview, a copy of it. */
export function knownLinksOf(client: Client): KnownLinks {
	const known = getOrCreate(byAccount, client.account.id, () => new KnownLinks());
	return client.isPreview ? getOrCreate(previews, client, () => known.copy()) : known;
}

/** The links of an account: those that the service lists, and what this process has changed meanwhile. */
export class KnownLinks {
	#list?: { readonly links: readonly KnownLink[]; readonly until: number };
	/** Why a list could not be read. Another try has another client, and reads it again. */
	readonly #errors = new WeakMap<Client, Error>();
	/** The newest first, at most one for each ID. */
	#changes: readonly Change[] = [];
	#lastTurn: Promise<unknown> = Promise.resolve();

	copy(): KnownLinks {
		const copy = new KnownLinks();
		copy.#changes = this.#changes;
		return copy;
	}

	/** Does work once all work before it has ended. Throws STOPPED if the signal aborts first. */
	async inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const before = this.#lastTurn;
		const done = unlessAborted(signal, STOPPED, async () => await before).then(work);
		this.#lastTurn = Promise.allSettled([before, done]).then(() => undefined);
		return await done;
	}

	/**
	 * Returns the links with an address, the newest first, whether the first is in the list, and whether older ones may
	 * exist, as the list is full. Throws Failure if the list cannot be read.
	 */
	async find(client: Client, address: string, compared: 'exact' | 'loose') {
		const list = await this.#load(client);
		const deleted = new Set(this.#remembered.filter(({ isDeleted }) => isDeleted).map(idOf));
		const wanted = toKnown({ link: address })[compared];
		const isMatch = (known: KnownLink) => known[compared] === wanted && !deleted.has(idOf(known));
		const listed = list.filter(isMatch);
		// A link without an ID is the listed one, if there is one.
		const created = this.#createdThatCount.filter(
			(each) => isMatch(each) && (idOf(each) !== '' || listed.length === 0),
		);
		// A service may list another address than was sent.
		const inList = (each: KnownLink) => list.find((other) => idOf(other) === idOf(each) && idOf(each) !== '');
		const matches = [...new Set([...created.map((each) => inList(each) ?? each), ...listed])];
		const [newest] = matches;
		return {
			matches: matches.map(({ link }) => link),
			isListed: newest !== undefined && list.includes(newest),
			isListFull: list.length >= MAX_LISTED,
		};
	}

	/** Links that were created here: the recent ones, and those that no list can show, as they are scheduled, or 50 newer ones were created. */
	get #createdThatCount(): KnownLink[] {
		const recent = Date.now() - RECENT_FOR_MS;
		const created = this.#remembered.filter(({ isDeleted }) => !isDeleted);
		return created.filter(({ at, isScheduled }, newerLinks) => at > recent || newerLinks >= MAX_LISTED || isScheduled);
	}

	async #load(client: Client): Promise<readonly KnownLink[]> {
		const earlier = this.#errors.get(client);
		if (earlier) throw earlier;
		if (this.#list && Date.now() < this.#list.until) return this.#list.links;
		try {
			const links = await client.request(listRequest(), (envelope) => parseLinks(envelope, 'link').map(toKnown));
			this.#list = { links, until: Date.now() + LIST_LASTS_MS };
			return links;
		} catch (error) {
			this.#errors.set(client, error as Error);
			throw error as Error;
		}
	}

	/** Makes a change of links, and notes it once it is done. If its outcome is unknown, only the list decides from then on. */
	async change<T>(make: () => Promise<T>, note: (result: T) => void): Promise<T> {
		try {
			const result = await make();
			note(result);
			return result;
		} catch (error) {
			if (!(error instanceof Failure) || error.data.outcome === 'unknown') this.forget();
			throw error as Error;
		}
	}

	noteCreated(link: IDataObject, isScheduled = false): void {
		this.#note(link, { isScheduled });
		// The next list may show its ID.
		if (asText(link.link_id) === '') this.#list = undefined;
	}

	noteDeleted(linkId: string): void {
		this.#note({ link_id: linkId }, { isDeleted: true });
	}

	#note(link: IDataObject, what: Partial<Change>): void {
		const change = { ...toKnown(link), ...what, at: Date.now() };
		const id = idOf(change);
		this.#changes = [change, ...this.#remembered.filter((each) => id === '' || idOf(each) !== id)];
	}

	get #remembered(): Change[] {
		const since = Date.now() - REMEMBERED_FOR_MS;
		return this.#changes.filter(({ at }) => at > since);
	}

	/** Notes that fields of the link with an ID were updated. A service may clear a title that is not sent. */
	noteUpdated(linkId: string, { title, link }: LinkForm): void {
		const update = <T extends KnownLink>(known: T): T =>
			idOf(known) === linkId ? { ...known, ...toKnown({ ...known.link, title, ...(link && { link }) }) } : known;
		this.#list &&= { ...this.#list, links: this.#list.links.map(update) };
		this.#changes = this.#changes.map(update);
	}

	/** Notes that any links may have been changed: only the list decides, and which links were deleted. */
	forget(): void {
		this.#list = undefined;
		this.#changes = this.#changes.filter(({ isDeleted }) => isDeleted);
	}
}

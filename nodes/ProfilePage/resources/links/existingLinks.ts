import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { historyOf } from '../../shared/errors';
import { executionState } from '../../shared/runState';
import { asText } from '../../shared/values';
import { pause } from '../../shared/waiting';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, readLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** How often the list may fail in a row before no call reads it any more. */
const MAX_FAILURES = 3;
/** The wait before the second reading; it doubles for each further one. */
const FIRST_WAIT_MS = 500;

type KnownLink = Readonly<ReturnType<typeof toKnown>>;

/** The links by app, shared by all nodes of an execution: no list may contain yet what it has created. */
export const linksOf = executionState(() => new Map<string, ExistingLinks>());

/** Notes that an execution may change any links. */
export function forgetLinks(context: IExecuteFunctions): void {
	for (const existing of linksOf(context).values()) existing.forget();
}

/** The links that are known for an app: those that the service lists, and those that this execution created. */
export class ExistingLinks {
	#listing?: Promise<KnownLink[]>;
	/** When the list was requested last, in milliseconds since 1970. */
	#askedAt = 0;
	/** How often in a row it could not be read. */
	#failures = 0;
	#created: KnownLink[] = [];
	/** The scheduled links that this execution may have created, changed, or deleted. No list contains them. */
	#uncertain: KnownLink[] = [];

	/** @param signal aborts when the execution is canceled, and ends waits */
	constructor(readonly signal?: AbortSignal) {}

	/**
	 * Returns the links with an address, the newest first, whether there may be others that are not listed, and whether
	 * there may be a scheduled one of this execution. The list is read once for many calls.
	 *
	 * @param isLoose whether addresses are compared loosely
	 * @throws ServiceError if the list cannot be read; ExecutionCanceled
	 */
	async find(client: ServiceClient, address: string, isLoose = false) {
		const listed = await this.#list(client);
		const ids = new Set(listed.map(({ link }) => asText(link.link_id)));
		const created = this.#created.filter(({ link }) => !ids.has(asText(link.link_id)));
		const variant = isLoose ? 'loose' : 'exact';
		const wanted = toKnown({ link: address }, false)[variant];
		const isWanted = (known: KnownLink) => known[variant] === wanted;
		return {
			matches: [...created, ...listed].filter(isWanted).map(({ link }) => link),
			isListFull: listed.length >= MAX_LISTED,
			isUncertain: this.#uncertain.some(isWanted),
		};
	}

	/**
	 * Returns what a change returns. If its outcome is unknown, the next call reads the list again.
	 *
	 * @param scheduled the address of the scheduled link that it creates
	 */
	async afterChange<T>(change: Promise<T>, scheduled?: string): Promise<T> {
		return await change.catch((error: unknown) => {
			if (historyOf(error) !== 'may be applied') throw error;
			this.expire();
			if (scheduled !== undefined) this.#uncertain.push(toKnown({ link: scheduled }, false));
			throw error;
		});
	}

	/** @param isListed whether the link is public, so that lists contain it */
	add(link: IDataObject, isListed: boolean): void {
		// The next list has its ID.
		if (isListed && asText(link.link_id) === '') this.expire();
		else this.#created = [toKnown(link, isListed), ...this.#created];
	}

	/** Returns what an update of the link with an ID returns, or its deletion if there are no fields. */
	async afterChangeOf<T>(linkId: string, change: Promise<T>, fields?: LinkForm): Promise<T> {
		const history = await change.then(() => undefined, historyOf);
		const isUnknown = history === 'may be applied';
		if (isUnknown || history === undefined) this.#change(linkId, isUnknown, fields);
		return await change;
	}

	#change(linkId: string, isUnknown: boolean, fields?: LinkForm): void {
		this.expire();
		const isOther = ({ link: { link_id: id } }: KnownLink) => asText(id) !== linkId;
		const known = [...this.#created, ...this.#uncertain].find((each) => !isOther(each));
		this.#created = this.#created.filter(isOther);
		this.#uncertain = this.#uncertain.filter(isOther);
		if (!known) return;
		const { title = known.link.title, link = known.link.link } = fields ?? {};
		const updated = toKnown({ ...known.link, title, link }, known.isListed);
		if (!isUnknown) this.#created.unshift(...(fields ? [updated] : []));
		else if (!known.isListed) this.#uncertain.push(known, updated);
	}

	/** Makes the next call read the list again, and forgets the created links that lists contain. */
	forget(): void {
		this.expire();
		this.#created = this.#created.filter(({ isListed }) => !isListed);
	}

	/** Makes the next call read the list again. */
	expire(): void {
		this.#listing = undefined;
	}

	async #list(client: ServiceClient): Promise<KnownLink[]> {
		if (Date.now() - this.#askedAt > LIST_LASTS_MS) {
			this.expire();
			this.#failures = 0;
		}
		const listing = (this.#listing ??= this.#read(client));
		return await listing.catch((error: unknown) => {
			if (this.#listing === listing && this.#failures < MAX_FAILURES) this.expire();
			throw error;
		});
	}

	/** If it fails, later calls try again, gently, until it has failed too often. */
	async #read(client: ServiceClient): Promise<KnownLink[]> {
		this.#askedAt = Date.now();
		if (this.#failures > 0) await pause(FIRST_WAIT_MS * 2 ** (this.#failures - 1), this.signal);
		this.#failures += 1;
		const links = await client.send(listRequest(), readLinks);
		this.#failures = 0;
		// A list that is not full contains all public links: others have been deleted.
		if (links.length < MAX_LISTED) this.#created = this.#created.filter((each) => !each.isListed);
		return links.map((link) => toKnown(link, true));
	}
}

/** Returns a link, whether it is public, and its address in two forms that can be compared. */
function toKnown(link: IDataObject, isListed: boolean) {
	const address = asText(link.link);
	return { link, exact: normalizeAddress(address), loose: normalizeLoosely(address), isListed };
}

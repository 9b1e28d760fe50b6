import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { type History, historyOf } from '../../shared/errors';
import { executionState } from '../../shared/runState';
import { asText } from '../../shared/values';
import { pause } from '../../shared/waiting';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { listRequest, MAX_LISTED, readLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** How often the list may fail in a row before no call reads it any more, and how long the second one waits. */
const MAX_FAILURES = 3;
const FIRST_WAIT_MS = 500;

/** A link, and its address in two forms that can be compared. */
interface KnownLink {
	readonly link: IDataObject;
	readonly exact: string;
	readonly loose: string;
	/** Whether the link is public, so that lists contain it. */
	readonly isListed: boolean;
}

/** The links by app, for all nodes of an execution: what it has created, no list may contain yet. */
export const linksOf = executionState(() => new Map<string, ExistingLinks>());

/** Notes that an execution changes links without looking for them first, or one link if its ID is given. */
export function forgetLinks(context: Parameters<typeof linksOf>[0], linkId?: string): void {
	for (const existing of linksOf(context).values()) existing.forget(linkId);
}

/** How a change is sent: by which client, after which earlier tries. */
interface Change {
	readonly client: ServiceClient;
	readonly history?: History;
}

/** The links that are known for an app: those that the service lists, and those that this execution created. */
export class ExistingLinks {
	#listing?: Promise<KnownLink[]>;
	/** When the list was requested last, in milliseconds since 1970. */
	#askedAt = 0;
	/** How often in a row it could not be read. */
	#failures = 0;
	#created: KnownLink[] = [];
	/** The addresses of scheduled links that this execution may have created. No list contains them. */
	readonly #uncertain: KnownLink[] = [];

	/**
	 * Returns the links with an address, the newest first, whether there may be others that are not listed, and whether
	 * this execution may have created a scheduled one. The list is read once for many calls.
	 *
	 * @param isLoose whether addresses are compared loosely
	 * @throws ServiceError if the list cannot be read; ExecutionCanceled
	 */
	async find(
		client: ServiceClient,
		address: string,
		isLoose = false,
	): Promise<{ matches: IDataObject[]; isListFull: boolean; isUncertain: boolean }> {
		const listed = await this.#list(client);
		const isListFull = listed.length >= MAX_LISTED;
		const ids = new Set(listed.map(({ link }) => asText(link.link_id)));
		const created = this.#created.filter(({ link }) => !ids.has(asText(link.link_id)));
		const wanted = isLoose ? normalizeLoosely(address) : normalizeAddress(address);
		const isWanted = ({ exact, loose }: KnownLink) => (isLoose ? loose : exact) === wanted;
		const matches = [...created, ...listed].filter(isWanted).map(({ link }) => link);
		return { matches, isListFull, isUncertain: this.#uncertain.some(isWanted) };
	}

	/**
	 * Sends a change. If its outcome is unknown, the next call reads the list again. Throws what
	 * {@link ServiceClient.send} throws.
	 *
	 * @param scheduled the address of the scheduled link that is created
	 */
	async change<T extends object>(
		{ client, history }: Change,
		request: ServiceRequest,
		read: (envelope: IDataObject) => T,
		scheduled?: string,
	): Promise<T> {
		return await client.send(request, read, history).catch((error: unknown) => {
			if (historyOf(error) !== 'may be applied') throw error;
			this.expire();
			if (scheduled !== undefined) this.#uncertain.push(toKnown({ link: scheduled }, false));
			throw error;
		});
	}

	/** @param isListed whether the link is public */
	add(link: IDataObject, isListed: boolean): void {
		this.#created = [toKnown(link, isListed), ...this.#created];
	}

	/** Makes the next call read the list again, and forgets what was created under an ID. */
	forget(linkId?: string): void {
		this.expire();
		this.#created = this.#created.filter(({ link }) => asText(link.link_id) !== linkId);
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
		if (this.#failures > 0) await pause(FIRST_WAIT_MS * 2 ** (this.#failures - 1));
		this.#failures += 1;
		const links = await client.send(listRequest(), readLinks);
		this.#failures = 0;
		// A list that is not full contains all public links: others have been deleted.
		if (links.length < MAX_LISTED) this.#created = this.#created.filter((each) => !each.isListed);
		return links.map((link) => toKnown(link, true));
	}
}

function toKnown(link: IDataObject, isListed: boolean): KnownLink {
	const address = asText(link.link);
	return { link, exact: normalizeAddress(address), loose: normalizeLoosely(address), isListed };
}

import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { type History, historyOf } from '../../shared/errors';
import { asText } from '../../shared/values';
import { pause } from '../../shared/waiting';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { listRequest, MAX_LISTED, readLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** How often the list may fail in a row before no call reads it any more, and how long the second one waits. */
const MAX_FAILURES = 3;
const FIRST_WAIT_MS = 500;

/** A link, and its address in a form that can be compared. */
interface KnownLink {
	readonly link: IDataObject;
	readonly address: string;
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
	readonly #uncertain = new Set<string>();
	readonly #normalize: typeof normalizeAddress;

	/** @param isLoose whether addresses are compared loosely */
	constructor(isLoose: boolean) {
		this.#normalize = isLoose ? normalizeLoosely : normalizeAddress;
	}

	/**
	 * Returns the links with an address, the newest first, whether there may be others that are not listed, and whether
	 * this execution may have created a scheduled one. The list is read once for many calls.
	 *
	 * @throws ServiceError if the list cannot be read; ExecutionCanceled
	 */
	async find(
		client: ServiceClient,
		address: string,
	): Promise<{ matches: IDataObject[]; isListFull: boolean; isUncertain: boolean }> {
		const listed = await this.#list(client);
		const ids = new Set(listed.map(({ link }) => asText(link.link_id)));
		const created = this.#created.filter(({ link }) => !ids.has(asText(link.link_id)));
		const wanted = this.#normalize(address);
		const matches = [...created, ...listed].filter((known) => known.address === wanted);
		return {
			matches: matches.map(({ link }) => link),
			isListFull: listed.length >= MAX_LISTED,
			isUncertain: this.#uncertain.has(wanted),
		};
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
			if (scheduled !== undefined) this.#uncertain.add(this.#normalize(scheduled));
			throw error;
		});
	}

	add(link: IDataObject): void {
		this.#created = [this.#toKnown(link), ...this.#created];
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
		return links.map((link) => this.#toKnown(link));
	}

	#toKnown(link: IDataObject): KnownLink {
		return { link, address: this.#normalize(asText(link.link)) };
	}
}

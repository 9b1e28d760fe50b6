import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { Failure, requestFailure } from '../../shared/failure';
import { asText, getOrCreate, isId } from '../../shared/values';
import { normalizeAddress } from './addresses';
import { createRequest, editRequest, type LinkForm, listRequest, MAX_LISTED, type NewLink } from './linkRequests';

/** By the ID of an account, how many changes of its links this process has made, or may have. */
const accounts = new Map<string, { changes: number }>();

/** A link, as far as a try knows it. */
export interface KnownLink {
	/** As the service lists them, or as they were sent. */
	readonly fields: IDataObject;
	/** As {@link normalizeAddress} returns it. */
	readonly address: string;
}

/** What a try knows of the links of its account: the list of the service, and what the try has changed since. */
export class KnownLinks {
	readonly #account: { changes: number };
	/** How many changes of the account are known. Any others were made by another execution, or their outcome is unknown. */
	#knownChanges: number;
	/** The newest first. If it cannot be read, no item reads it again: each would wait for it. */
	#list?: Promise<readonly KnownLink[]>;
	/** What this try has created, the newest first. */
	#created: KnownLink[] = [];

	constructor(readonly client: Client) {
		this.#account = getOrCreate(accounts, client.account.id, () => ({ changes: 0 }));
		this.#knownChanges = this.#account.changes;
	}

	/** Finds the links with an address, the newest first. If the list is full, there may be older ones. Throws Failure. */
	async find(url: string): Promise<{ found: KnownLink[]; isListFull: boolean }> {
		if (this.#knownChanges !== this.#account.changes) this.#forget();
		this.#list ??= this.client.request(listRequest(undefined, 'link')).then((links) => links.map(toKnown));
		const list = await this.#list;
		const address = normalizeAddress(url);
		const found = [...this.#created, ...list].filter((link) => link.address === address);
		return { found, isListFull: list.length >= MAX_LISTED };
	}

	/** Drops the list, and the created links that the next one contains: all but scheduled ones, and those with 50 newer ones. */
	#forget(): void {
		this.#knownChanges = this.#account.changes;
		this.#list = undefined;
		this.#created = this.#created.filter((link, index) => isScheduled(link) || index >= MAX_LISTED);
	}

	/** Creates a link, and knows it from then on. Returns its fields. Throws Failure. */
	async create(newLink: NewLink): Promise<IDataObject> {
		const fields = await this.change(createRequest(newLink));
		this.#created.unshift(toKnown(fields));
		// The list shows the ID if the response does not.
		if (isId(fields.link_id)) this.#knownChanges += 1;
		return fields;
	}

	/** Updates a link, and knows its new fields from then on. Throws Failure. */
	async update(link: KnownLink, changes: LinkForm): Promise<void> {
		await this.change(editRequest(idOf(link), changes));
		Object.assign(link, toKnown({ ...link.fields, ...changes }));
		this.#knownChanges += 1;
	}

	/** Sends a change. Each try then reads the list again, except one that knows the change. Throws Failure. */
	async change<T>(request: ServiceRequest<T>): Promise<T> {
		try {
			const result = await this.client.request(request);
			this.#account.changes += 1;
			return result;
		} catch (error) {
			if (!isNotApplied(error)) this.#account.changes += 1;
			throw error as Error;
		}
	}
}

export function toKnown(fields: IDataObject): KnownLink {
	return { fields, address: normalizeAddress(asText(fields.link)) };
}

/** Whether a link is not public yet, so that no list contains it. */
export function isScheduled({ fields }: KnownLink): boolean {
	return Date.parse(asText(fields.schedule_from)) > Date.now();
}

/** Returns the ID of a link. Throws Failure if it is unknown. */
export function idOf({ fields: { link_id: id } }: KnownLink): string {
	if (isId(id)) return asText(id);
	const problem = 'a link with the same URL exists, but its ID is unknown';
	throw requestFailure(problem, 'Change or delete it at the service.', { outcome: 'not applied' });
}

/** Whether an error says that a change was certainly not made. */
export function isNotApplied(error: unknown): boolean {
	return error instanceof Failure && error.data.outcome === 'not applied';
}

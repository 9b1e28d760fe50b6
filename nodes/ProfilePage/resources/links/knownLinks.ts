import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { Failure, requestFailure } from '../../shared/failure';
import { asText, isId } from '../../shared/values';
import { normalizeAddress } from './addresses';
import { createRequest, editRequest, listRequest, MAX_LISTED, type NewLink } from './linkRequests';

/** By account, how many changes of its links this process has sent. Those of a preview count, too, which does no harm. */
const revisions = new Map<string, number>();

/** A link, as far as a try knows it. */
export interface KnownLink {
	/** As the service lists it. */
	readonly fields: IDataObject;
	/** As {@link normalizeAddress} returns it. */
	readonly address: string;
	/** Whether the try has created it with a date, so that no list contains it yet. */
	readonly isScheduled: boolean;
}

/** What is known of an address: its newest link, or none. If the list is full, there may be an older one. */
type Found =
	| { readonly state: 'exists'; readonly link: KnownLink }
	| { readonly state: 'scheduled' }
	| { readonly state: 'absent'; readonly isListFull: boolean };

/** What a try knows of the links of its account: the list of the service, and what the try has changed since. */
export class KnownLinks {
	/** The newest first. If it cannot be read, no item reads it again: each would wait for it. */
	#list?: Promise<readonly KnownLink[]>;
	/** The revision that the list shows. What failed, or another execution has changed, leaves it behind. */
	#revision = 0;
	/** What the try has created and the list does not contain, the newest first. */
	#created: KnownLink[] = [];

	constructor(readonly client: Client) {}

	/** Returns what is known of an address. Throws Failure if the list cannot be read. */
	async lookUp(link: string): Promise<Found> {
		const listed = await this.#read();
		const address = normalizeAddress(link);
		const found = [...this.#created, ...listed].filter((each) => each.address === address);
		const existing = found.find(({ isScheduled }) => !isScheduled);
		if (existing) return { state: 'exists', link: existing };
		return found.length > 0 ? { state: 'scheduled' } : { state: 'absent', isListFull: listed.length >= MAX_LISTED };
	}

	/** Creates a link, and knows it from then on. Returns its fields. Throws Failure. */
	async create(newLink: NewLink): Promise<IDataObject> {
		const fields = await this.#apply(createRequest(newLink));
		const { title, link, schedule_from: from } = newLink;
		// The service may return another address. Later items are compared with the one that was sent.
		this.#created.unshift(toKnown({ ...fields, title, link }, Date.parse(from ?? '') > Date.now()));
		return fields;
	}

	/** Updates a link, and knows its title from then on. Throws Failure. */
	async update({ fields }: KnownLink, changes: { title: string; group_id?: string }): Promise<void> {
		const { link_id: id } = fields;
		if (!isId(id)) {
			const problem = 'a link with the same URL exists, but its ID is unknown';
			const advice = 'Update it at the service, or set If Link Exists to Skip.';
			throw requestFailure(problem, advice, { outcome: 'not applied' });
		}
		await this.#apply(editRequest(asText(id), changes));
		fields.title = changes.title;
	}

	/** Sends any other change, after which all tries read the list again. Throws Failure. */
	async change<T>(request: ServiceRequest<T>): Promise<T> {
		let mayBeApplied = true;
		try {
			return await this.client.request(request);
		} catch (error) {
			mayBeApplied = !(error instanceof Failure) || error.data.outcome === 'unknown';
			throw error as Error;
		} finally {
			if (mayBeApplied) revisions.set(this.client.account.id, this.#latestRevision + 1);
		}
	}

	/** Sends a change that this try applies to its own list. */
	async #apply<T>(request: ServiceRequest<T>): Promise<T> {
		const result = await this.change(request);
		this.#revision += 1;
		return result;
	}

	get #latestRevision(): number {
		return revisions.get(this.client.account.id) ?? 0;
	}

	/** Reads the list, unless it shows the latest revision. */
	async #read(): Promise<readonly KnownLink[]> {
		if (!this.#list || this.#revision !== this.#latestRevision) {
			this.#revision = this.#latestRevision;
			this.#list = this.#readAgain();
		}
		return await this.#list;
	}

	async #readAgain(): Promise<KnownLink[]> {
		const links = await this.client.request(listRequest(undefined, 'link'));
		const listed = links.map((fields) => toKnown(fields));
		const addresses = new Set(listed.map(({ address }) => address));
		this.#created = this.#created.filter(({ address }) => !addresses.has(address));
		return listed;
	}
}

function toKnown(fields: IDataObject, isScheduled = false): KnownLink {
	return { fields, address: normalizeAddress(asText(fields.link)), isScheduled };
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionState } from '../../n8n/context';
import { Cached } from '../../service/cached';
import type { Account, Client } from '../../service/client';
import { type Failure, type Outcome, toFailure } from '../../service/failure';
import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** A link, with its address as it is compared. */
interface KnownLink {
	readonly link: IDataObject;
	readonly exact: string;
	/** As it is compared with Match URLs Loosely. */
	readonly loose: string;
}

function toKnown(link: IDataObject): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, exact, loose: normalizeLoosely(exact) };
}

function idOf({ link: { link_id: id } }: KnownLink): string {
	return asText(id);
}

/** A change of a link: the fields that are updated, or its deletion. */
export type LinkChange = LinkForm | 'deleted';

/** The links by account, shared by all nodes of an execution: no list may contain yet what it has created. */
const linksByAccount = executionState(() => new Map<string, KnownLinks>());

export function knownLinksOf(context: IExecuteFunctions, { id }: Account): KnownLinks {
	return getOrCreate(linksByAccount(context), id, () => new KnownLinks());
}

/** Notes that an execution may have changed any links. */
export function forgetLinks(context: IExecuteFunctions): void {
	for (const known of linksByAccount(context).values()) known.forget();
}

/** The links that are known for an account: those that the service lists, and those that this execution has created. */
export class KnownLinks {
	readonly #list = new Cached<readonly KnownLink[]>((failure) => (failure ? 0 : LIST_LASTS_MS));
	/** The latest list. */
	#listed: readonly KnownLink[] = [];
	/** The client whose list could not be read, and why. Another try has another client, and reads it again. */
	#failed?: { readonly client: Client; readonly failure: Failure };
	/** The newest first. */
	#created: readonly KnownLink[] = [];
	/** The IDs of links that this execution has deleted: a list may still contain them. */
	readonly #deleted = new Set<string>();

	/**
	 * Returns the links with an address, the newest first, and whether older ones may exist, as the list is full. The list
	 * is read once for many calls. Throws Failure if it cannot be read.
	 */
	async find(client: Client, address: string, compared: 'exact' | 'loose') {
		const list = await this.#load(client);
		const wanted = toKnown({ link: address })[compared];
		const isSame = (known: KnownLink) => known[compared] === wanted;
		const listed = list.filter(isSame);
		// The service may list another address than was sent, and a link whose ID is unknown may be any of those listed.
		const own = this.#created.filter((each) => isSame(each) && (idOf(each) !== '' || listed.length === 0));
		const ownIds = new Set(own.map(idOf));
		const created = own.map((each) => list.find((other) => idOf(each) !== '' && idOf(other) === idOf(each)) ?? each);
		const found = [...created, ...listed.filter((each) => !ownIds.has(idOf(each)))];
		const matches = found.filter((known) => !this.#deleted.has(idOf(known))).map(({ link }) => link);
		return { matches, isListFull: list.length >= MAX_LISTED };
	}

	async #load(client: Client): Promise<readonly KnownLink[]> {
		if (this.#failed?.client === client) throw this.#failed.failure;
		try {
			const read = async () =>
				await client.request(listRequest(), (envelope) => parseLinks(envelope, 'link').map(toKnown));
			this.#listed = await this.#list.get(read);
			return this.#listed;
		} catch (error) {
			this.#failed = { client, failure: toFailure(error) };
			throw this.#failed.failure;
		}
	}

	/** Notes that a link was created, or may have been: then the next list shows it, if it is public. */
	created(link: IDataObject, outcome: Outcome | 'done'): void {
		if (outcome === 'not applied') return;
		const known = toKnown(link);
		if (outcome === 'unknown' || idOf(known) === '') this.#list.expire();
		if (outcome === 'done') this.#created = [known, ...this.#created];
	}

	/** Notes that the link with an ID was changed, or may have been. */
	changed(linkId: string, outcome: Outcome | 'done', change: LinkChange): void {
		if (outcome === 'not applied') return;
		const isIt = (known: KnownLink) => idOf(known) === linkId;
		const isDone = outcome === 'done';
		const title = isDone && change !== 'deleted' && change.link === undefined ? change.title : undefined;
		if (title !== undefined) {
			for (const { link } of [...this.#listed, ...this.#created].filter(isIt)) link.title = title;
			return;
		}
		if (isDone && change === 'deleted') this.#deleted.add(linkId);
		this.#list.expire();
		this.#created = this.#created.filter((known) => !isIt(known));
	}

	/** Notes that any links may have been changed. */
	forget(): void {
		this.#list.expire();
		this.#created = [];
	}
}

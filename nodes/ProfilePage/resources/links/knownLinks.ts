import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionState } from '../../n8n/context';
import { Cached } from '../../service/cached';
import type { Client } from '../../service/client';
import { type Failure, type Outcome, STOPPED, toFailure } from '../../service/failure';
import { withTimeout } from '../../service/waiting';
import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** For how long a new link counts for other executions: the list of a service may be a minute old. */
const RECENT_FOR_MS = 120_000;

/** How many deleted links are remembered for an account: more than a list contains. */
const MAX_DELETED = 1000;

/** Longer than any request may take. */
const ONE_DAY_MS = 24 * 60 * 60 * 1000;

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

/** A link that was created, when, and by which execution. */
interface CreatedLink extends KnownLink {
	readonly at: number;
	readonly by: WeakRef<KnownLinks>;
}

/** What the executions of this process have done to the links of an account: no list may show it yet. */
class LinkChanges {
	/** The newest first: those of the last two minutes, and of executions that may still run. */
	created: readonly CreatedLink[];
	/** The IDs of the links that were deleted, the newest last. */
	readonly deleted: Set<string>;
	/** Grows when lists that were read before are of no use any more. */
	version = 0;
	/** Settles when nothing waits for its turn. */
	lastTurn: Promise<unknown> = Promise.resolve();

	/** @param others what they begin with */
	constructor(others?: LinkChanges) {
		this.created = (others?.created ?? []).map((each) => ({ ...each, link: { ...each.link } }));
		this.deleted = new Set(others?.deleted);
	}
}

/** By account. There are no more than credentials, and each is small. */
const changesByAccount = new Map<string, LinkChanges>();

function isRecent({ at }: CreatedLink): boolean {
	return Date.now() < at + RECENT_FOR_MS;
}

/** The links by account, shared by all nodes of an execution. */
const linksByAccount = executionState(() => new Map<string, KnownLinks>());

/** What each preview knows. */
const previews = new WeakMap<Client, KnownLinks>();

/** Returns what an execution knows of the links of a client's account; for a preview, what it alone knows. */
export function knownLinksOf(context: IExecuteFunctions, client: Client): KnownLinks {
	const { id } = client.account;
	const changes = getOrCreate(changesByAccount, id, () => new LinkChanges());
	const byAccount = linksByAccount(context);
	if (client.isPreview) return getOrCreate(previews, client, () => new KnownLinks(new LinkChanges(changes)));
	return getOrCreate(byAccount, id, () => new KnownLinks(changes));
}

/** Notes that an execution may have changed any links, those of the account of a client at least. */
export function forgetLinks(context: IExecuteFunctions, client: Client): void {
	knownLinksOf(context, client);
	for (const known of linksByAccount(context).values()) known.forget();
}

/** The links that an execution knows of an account: those that the service lists, and those that were created meanwhile. */
export class KnownLinks {
	readonly #changes: LinkChanges;
	readonly #self = new WeakRef(this);
	readonly #list = new Cached<readonly KnownLink[]>((failure) => (failure ? 0 : LIST_LASTS_MS));
	/** The latest list, and the version of the changes before it was read. */
	#listed: readonly KnownLink[] = [];
	#version = 0;
	/** The client whose list could not be read, and why. Another try has another client, and reads it again. */
	#failed?: { readonly client: Client; readonly failure: Failure };

	constructor(changes = new LinkChanges()) {
		this.#changes = changes;
	}

	/**
	 * Does something to the links of the account once all that was asked for before has ended, in any execution of this
	 * process. Throws STOPPED if the signal aborts first.
	 */
	async inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const { lastTurn } = this.#changes;
		const turn = withTimeout(ONE_DAY_MS, signal, STOPPED, async () => await lastTurn);
		const done = turn.then(work, () => {
			throw STOPPED;
		});
		this.#changes.lastTurn = Promise.allSettled([lastTurn, done]).then(() => undefined);
		return await done;
	}

	/**
	 * Returns the links with an address, the newest first, whether that is in the list, and whether older ones may exist, as
	 * the list is full. The list is read once for many calls. Throws Failure if it cannot be read.
	 */
	async find(client: Client, address: string, compared: 'exact' | 'loose') {
		const list = await this.#load(client);
		const wanted = toKnown({ link: address })[compared];
		const isSame = (known: KnownLink) => known[compared] === wanted;
		const listed = list.filter(isSame);
		// The service may list another address than was sent, and a link whose ID is unknown may be any of those listed.
		const { created, deleted } = this.#changes;
		const counts = (each: CreatedLink) => each.by === this.#self || isRecent(each);
		const added = created.filter((each) => isSame(each) && counts(each) && (idOf(each) !== '' || listed.length === 0));
		const addedIds = new Set(added.map(idOf));
		const newest = added.map((each) => list.find((other) => idOf(each) !== '' && idOf(other) === idOf(each)) ?? each);
		const found = [...newest, ...listed.filter((each) => !addedIds.has(idOf(each)))];
		const matches = found.filter((known) => !deleted.has(idOf(known)));
		const isListed = list.some((known) => known === matches[0]);
		return { matches: matches.map(({ link }) => link), isListed, isListFull: list.length >= MAX_LISTED };
	}

	async #load(client: Client): Promise<readonly KnownLink[]> {
		if (this.#failed?.client === client) throw this.#failed.failure;
		if (this.#version !== this.#changes.version) this.#list.expire();
		this.#version = this.#changes.version;
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

	/** Returns the link with an ID as far as it is known; an empty object if it is not. */
	get(linkId: string): IDataObject {
		const known = [...this.#changes.created, ...this.#listed].find((each) => idOf(each) === linkId);
		return known?.link ?? {};
	}

	/** Notes that a link was created, or may have been: then the next list shows it, if it is public. */
	created(link: IDataObject, outcome: Outcome | 'done'): void {
		if (outcome === 'not applied') return;
		const known = toKnown(link);
		if (outcome === 'unknown' || idOf(known) === '') this.#changes.version += 1;
		if (outcome === 'unknown') return;
		this.#changes.deleted.delete(idOf(known));
		this.#changes.created = [{ ...known, at: Date.now(), by: this.#self }, ...this.#changes.created];
		for (const changes of changesByAccount.values()) {
			changes.created = changes.created.filter((each) => isRecent(each) || each.by.deref());
		}
	}

	/** Notes that the link with an ID was changed, or may have been. */
	changed(linkId: string, outcome: Outcome | 'done', change: LinkChange): void {
		if (outcome === 'not applied') return;
		const isIt = (known: KnownLink) => idOf(known) === linkId;
		const isDone = outcome === 'done';
		const { created, deleted } = this.#changes;
		const title = isDone && change !== 'deleted' && change.link === undefined ? change.title : undefined;
		if (title !== undefined) {
			for (const { link } of [...this.#listed, ...created].filter(isIt)) link.title = title;
			return;
		}
		if (isDone && change === 'deleted') deleted.add(linkId);
		const [oldest = ''] = deleted;
		if (deleted.size > MAX_DELETED) deleted.delete(oldest);
		this.forget(isIt);
	}

	/** Notes that any links may have been changed, or those that `isIt` selects. */
	forget(isIt: (known: KnownLink) => boolean = () => true): void {
		this.#changes.version += 1;
		this.#changes.created = this.#changes.created.filter((known) => !isIt(known));
	}
}

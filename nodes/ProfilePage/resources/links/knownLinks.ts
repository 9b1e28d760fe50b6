import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionState } from '../../n8n/context';
import { Cached } from '../../service/cached';
import type { Account, Client } from '../../service/client';
import { type Ended, mapDone, type Outcome } from '../../service/failure';
import { asText, getOrCreate } from '../../shared/values';
import { normalizeAddress, normalizeLoosely } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** For how long a list that could not be read counts as such, if another request would hardly help. */
const FAILED_LIST_LASTS_MS = 1000;

/** A link that the service lists, or that this execution has created. */
interface KnownLink {
	readonly link: IDataObject;
	/** Its address, as it is compared by default. */
	readonly exact: string;
	/** Its address, as it is compared with Match URLs Loosely. Links with the same exact address have the same loose one. */
	readonly loose: string;
	/** Lists contain public links only. If it is uncertain, there may be a scheduled link with this address. */
	readonly visibility: 'public' | 'scheduled' | 'uncertain';
	/** Whether a list has contained it. */
	isListed?: boolean;
}

function toKnown(link: IDataObject, visibility: KnownLink['visibility'] = 'public'): KnownLink {
	const exact = normalizeAddress(asText(link.link));
	return { link, exact, loose: normalizeLoosely(exact), visibility };
}

function idOf({ link_id: id }: IDataObject): string {
	return asText(id);
}

/** A change of a link: the fields that are updated, or its deletion. */
export type LinkChange = LinkForm | 'deleted';

type IndexedLinks = ReturnType<typeof indexLinks>;

/** Returns a list of links with indexes: it may be long, and many addresses are looked for in it. */
function indexLinks(links: readonly IDataObject[]) {
	const byLoose = new Map<string, KnownLink[]>();
	for (const known of links.map((link) => toKnown(link))) getOrCreate(byLoose, known.loose, () => []).push(known);
	return { isFull: links.length >= MAX_LISTED, byId: new Map(links.map((link) => [idOf(link), link])), byLoose };
}

/** Whether a list contains a link: its ID, or its address if its ID is unknown. */
function isIn({ byId, byLoose }: IndexedLinks, { link, exact, loose }: KnownLink): boolean {
	const id = idOf(link);
	return id === '' ? byLoose.get(loose)?.some((listed) => listed.exact === exact) === true : byId.has(id);
}

/** The links by account, shared by all nodes of an execution: no list may contain yet what it has created. */
const linksByAccount = executionState(() => new Map<string, KnownLinks>());

export function knownLinksOf(context: IExecuteFunctions, { id }: Account): KnownLinks {
	return getOrCreate(linksByAccount(context), id, () => new KnownLinks());
}

/** Notes that an execution may change any links. */
export function forgetLinks(context: IExecuteFunctions): void {
	for (const known of linksByAccount(context).values()) known.forget();
}

/** The links that are known for an account: those that the service lists, and those that this execution created. */
export class KnownLinks {
	readonly #cached = new Cached<Ended<IndexedLinks>>(listLifetime);
	/** The latest list. */
	#list = indexLinks([]);
	/** The newest first. */
	#created: readonly KnownLink[] = [];
	/** The IDs of links that this execution has deleted: a list may still contain them. */
	readonly #deleted = new Set<string>();

	/**
	 * Returns the links with an address, the newest first; whether older links with it may exist, as the list is full; and
	 * whether this execution may have created a scheduled link with it. The list is read once for many calls.
	 */
	async find(client: Client, address: string, compared: 'exact' | 'loose') {
		const read = async () =>
			await client.request(listRequest(), (envelope) => this.#toList(parseLinks(envelope, 'link')));
		return mapDone(await this.#cached.get(read), (list) => {
			const wanted = toKnown({ link: address });
			const isSame = (known: KnownLink) => known[compared] === wanted[compared];
			const unlisted = this.#created.filter(isSame).filter((known) => !isIn(list, known));
			const listed = (list.byLoose.get(wanted.loose) ?? []).filter(isSame);
			const found = [...unlisted, ...listed.filter(({ link }) => !this.#deleted.has(idOf(link)))];
			return {
				matches: found.filter(({ visibility }) => visibility !== 'uncertain').map(({ link }) => link),
				isListFull: list.isFull,
				isUncertain: found.some(({ visibility }) => visibility === 'uncertain'),
			};
		});
	}

	/** Notes that a link was created, or may have been. */
	created(link: IDataObject, outcome: Outcome, visibility: KnownLink['visibility']): void {
		if (outcome === 'not applied') return;
		const isUnknown = outcome === 'unknown';
		// The next list shows whether a public link was created, and which ID it has.
		if (visibility === 'public' && (isUnknown || idOf(link) === '')) this.#cached.expire();
		if (visibility === 'public' && isUnknown) return;
		this.#created = [toKnown(link, isUnknown ? 'uncertain' : visibility), ...this.#created];
	}

	/** Notes that the link with an ID was changed, or may have been. */
	changed(linkId: string, outcome: Outcome, change: LinkChange): void {
		if (outcome === 'not applied') return;
		// A title that was sent need not be read. One that was not sent, a service may clear.
		const title = outcome === 'done' && keepsAddress(change) ? change.title : undefined;
		const listed = this.#list.byId.get(linkId);
		if (title === undefined) this.#cached.expire();
		else if (listed) listed.title = title;
		if (change === 'deleted' && outcome === 'done') this.#deleted.add(linkId);
		const isIt = ({ link }: KnownLink) => idOf(link) === linkId;
		// A link whose ID is unknown may be it: a list will tell.
		const mayBeIt = ({ link, visibility }: KnownLink) => idOf(link) === '' && visibility === 'public';
		const before = this.#created.filter(isIt);
		const after = afterChange(before, outcome, change);
		this.#created = this.#created.flatMap((known) => {
			if (known === before[0]) return after;
			return isIt(known) || mayBeIt(known) ? [] : known;
		});
	}

	/** Notes that any links may have been changed. Scheduled links are kept, as no list shows what became of them. */
	forget(): void {
		this.#cached.expire();
		this.#created = this.#created.filter(({ visibility }) => visibility !== 'public');
	}

	#toList(links: readonly IDataObject[]): IndexedLinks {
		const list = indexLinks(links);
		this.#list = list;
		for (const known of this.#created) if (isIn(list, known)) known.isListed = true;
		// A list that is not full contains all public links: a link that it no longer contains has been deleted. A list
		// without a new link may come from a cache, and be older than the link.
		const isGone = (known: KnownLink) =>
			!list.isFull && known.visibility === 'public' && known.isListed && !isIn(list, known);
		this.#created = this.#created.filter((known) => !isGone(known));
		return list;
	}
}

/**
 * Returns what a link may be after a change.
 *
 * @param before what it may have been: several links if its address was uncertain
 */
function afterChange(before: readonly KnownLink[], outcome: 'unknown' | 'done', change: LinkChange): KnownLink[] {
	const after = change === 'deleted' ? [] : afterUpdate(before, change);
	if (outcome === 'done') return after;
	const isMoved = after.some(({ exact }) => before.every((known) => known.exact !== exact));
	if (change !== 'deleted' && !isMoved) {
		// Whatever its title is now.
		return before.map((known) => ({ ...known, link: { ...known.link, title: undefined } }));
	}
	// A list shows what became of a public link.
	if (before.every(({ visibility }) => visibility === 'public')) return [];
	return [...before, ...after].map((known) => ({ ...known, visibility: 'uncertain' }));
}

/** Returns what a link is after an update that succeeded, which shows that the link exists. */
function afterUpdate(before: readonly KnownLink[], fields: LinkForm): KnownLink[] {
	// Of several addresses that it may have, it has one of them still, unless the update has set another.
	const isCertain = !keepsAddress(fields) || before.length === 1;
	const updated = isCertain ? before.slice(0, 1) : before;
	return updated.map(({ link, visibility, isListed }) => {
		const isPublic = visibility === 'public';
		return { ...toKnown(withFields(link, fields), isCertain && !isPublic ? 'scheduled' : visibility), isListed };
	});
}

function keepsAddress(change: LinkChange): change is LinkForm {
	return change !== 'deleted' && change.link === undefined;
}

/** Returns a link after an update. Its group is not part of it, as in lists. */
function withFields(link: IDataObject, { title, link: address }: LinkForm): IDataObject {
	return { ...link, title: title ?? link.title, link: address ?? link.link };
}

function listLifetime(list: Ended<unknown>): number {
	if (list.outcome === 'done') return LIST_LASTS_MS;
	const { kind, passes, attempts = 1 } = list;
	// That a node has ended says nothing of the list.
	if (kind === 'stopped') return 0;
	// It may succeed the next time, unless the client has tried it several times already.
	return passes && attempts === 1 ? 0 : FAILED_LIST_LASTS_MS;
}

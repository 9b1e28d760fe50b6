import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionState } from '../../n8n/memory';
import type { Account } from '../../service/account';
import type { Client } from '../../service/client';
import { changedNothing, type Ended, mapDone, type Outcome } from '../../service/failure';
import { Cached } from '../../service/waiting';
import { asText } from '../../shared/values';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 30_000;

/** For how long a list that could not be read counts as such, if another request would hardly help. */
const FAILURE_LASTS_MS = 1000;

/** A link that this execution has created, or may have. */
interface CreatedLink {
	readonly link: IDataObject;
	/** Whether it is public, so that lists contain it. */
	readonly isPublic: boolean;
	/** Whether it is unknown if it exists, or still has this address. */
	readonly isUncertain: boolean;
}

/** Returns the same text for addresses that count as the same. */
type Normalize = (address: string) => string;

/** The links that the service lists. They are looked through once for many addresses. */
class ListedLinks {
	readonly links: readonly IDataObject[];
	readonly ids: ReadonlySet<string>;
	readonly #byAddress = new Map<Normalize, Map<string, IDataObject[]>>();

	constructor(links: readonly IDataObject[]) {
		this.links = links;
		this.ids = new Set(links.map(({ link_id: id }) => asText(id)));
	}

	/** Returns the links with an address, in their order. */
	find(address: string, normalize: Normalize): readonly IDataObject[] {
		const byAddress = this.#byAddress.get(normalize) ?? this.#index(normalize);
		return byAddress.get(normalize(address)) ?? [];
	}

	#index(normalize: Normalize): Map<string, IDataObject[]> {
		const index = new Map<string, IDataObject[]>();
		for (const link of this.links) {
			const address = normalize(asText(link.link));
			const others = index.get(address);
			if (others) others.push(link);
			else index.set(address, [link]);
		}
		this.#byAddress.set(normalize, index);
		return index;
	}
}

/** The links by account, shared by all nodes of an execution: no list may contain yet what it has created. */
const linksByAccount = executionState(() => new Map<string, KnownLinks>());

export function knownLinksOf(context: IExecuteFunctions, { id }: Account): KnownLinks {
	const links = linksByAccount(context);
	const known = links.get(id) ?? new KnownLinks();
	links.set(id, known);
	return known;
}

/** Notes that an execution may change any links. */
export function forgetLinks(context: IExecuteFunctions): void {
	for (const known of linksByAccount(context).values()) known.forget();
}

/** The links that are known for an account: those that the service lists, and those that this execution created. */
export class KnownLinks {
	readonly #list = new Cached<Ended<ListedLinks>>(lifetimeOf);
	/** The newest first. */
	#created: CreatedLink[] = [];
	/** The addresses of created links as they are compared. */
	readonly #addresses = new Map<Normalize, WeakMap<IDataObject, string>>();

	/**
	 * Returns the links with an address, the newest first, whether there may be others that are not listed, and whether
	 * there may be a scheduled one of this execution. The list is read once for many calls.
	 */
	async find(client: Client, address: string, normalize: Normalize) {
		const read = async () => mapDone(await client.request(listRequest(), parseLinks), (links) => this.#toListed(links));
		return mapDone(await this.#list.get(read), (listed) => {
			const others = this.#findCreated(address, normalize).filter(({ link }) => !listed.ids.has(asText(link.link_id)));
			const created = others.filter(({ isUncertain }) => !isUncertain).map(({ link }) => link);
			return {
				matches: [...created, ...listed.find(address, normalize)],
				isListFull: listed.links.length >= MAX_LISTED,
				isUncertain: others.some(({ isUncertain }) => isUncertain),
			};
		});
	}

	/** Notes that a link was created, or may have been. Lists contain a public one. */
	created(link: IDataObject, outcome: Outcome, isPublic: boolean): void {
		if (changedNothing(outcome)) return;
		const isUncertain = outcome === 'unknown';
		// The next list has it, or its ID.
		if (isPublic && (isUncertain || asText(link.link_id) === '')) this.#list.expire();
		else this.#created.unshift({ link, isPublic, isUncertain });
	}

	/** Notes that the link with an ID was updated, or deleted if there are no fields; or that it may have been. */
	changed(linkId: string, outcome: Outcome, fields?: LinkForm): void {
		if (changedNothing(outcome)) return;
		this.#list.expire();
		const isIt = ({ link }: CreatedLink) => asText(link.link_id) === linkId;
		const versions = this.#created.filter(isIt);
		this.#created = this.#created.filter((each) => !isIt(each));
		const updated = versions.map((each) => ({ ...each, link: withFields(each.link, fields) }));
		if (outcome === 'unknown') {
			const possible = byAddress([...versions, ...updated]).filter(({ isPublic }) => !isPublic);
			this.#created.push(...possible.map((each) => ({ ...each, isUncertain: true })));
		} else if (fields) {
			// Without a new address, it stays unknown which of several it has.
			const known = byAddress(updated);
			this.#created.unshift(...known.map((each) => ({ ...each, isUncertain: known.length > 1 })));
		}
	}

	/** Makes the next call read the list again. */
	expire(): void {
		this.#list.expire();
	}

	/** Makes the next call read the list again, and forgets the created links that lists contain. */
	forget(): void {
		this.#list.expire();
		this.#created = this.#created.filter(({ isPublic }) => !isPublic);
	}

	/** A list that is not full contains all public links: others have been deleted. */
	#toListed(links: IDataObject[]): ListedLinks {
		if (links.length < MAX_LISTED) this.#created = this.#created.filter(({ isPublic }) => !isPublic);
		return new ListedLinks(links);
	}

	#findCreated(address: string, normalize: Normalize): CreatedLink[] {
		const addresses = this.#addresses.get(normalize) ?? new WeakMap<IDataObject, string>();
		this.#addresses.set(normalize, addresses);
		const wanted = normalize(address);
		return this.#created.filter(({ link }) => {
			const normalized = addresses.get(link) ?? normalize(asText(link.link));
			addresses.set(link, normalized);
			return normalized === wanted;
		});
	}
}

/** Returns a link after an update of these fields. */
function withFields(known: IDataObject, fields: LinkForm = {}): IDataObject {
	const { title, link } = fields;
	return { ...known, ...(title !== undefined && { title }), ...(link !== undefined && { link }) };
}

/** Returns one version of a link for each address. */
function byAddress(versions: readonly CreatedLink[]): CreatedLink[] {
	return [...new Map(versions.map((each) => [each.link.link, each])).values()];
}

function lifetimeOf(list: Ended<unknown>): number {
	if (list.outcome === 'done') return LIST_LASTS_MS;
	const { passes, attempts = 1 } = list;
	// It may succeed the next time, unless the client has tried it several times already.
	return passes && attempts === 1 ? 0 : FAILURE_LASTS_MS;
}

import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { Failure } from '../../shared/failure';
import { getOrCreate } from '../../shared/values';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks } from './linkRequests';
import { idOf, isRemembered, type KnownLink, type RememberedLink, RememberedLinks, toKnown } from './rememberedLinks';

/** For how long a list is used, so that a loop does not read it for each item. */
const LIST_LASTS_MS = 10_000;

/** For how long a new link counts, whatever the list contains: the list of a service may be a minute old. */
const RECENT_FOR_MS = 120_000;

/** By account. There are no more than credentials. */
const byAccount = new Map<string, KnownLinks>();

const previews = new WeakMap<Client, KnownLinks>();

/** Returns what this process knows of the links of a client's account; for a preview, a copy of it. */
export function knownLinksOf(client: Client): KnownLinks {
	const known = getOrCreate(byAccount, client.account.id, () => new KnownLinks());
	return client.isPreview ? getOrCreate(previews, client, () => known.copy()) : known;
}

/** A list as it was read. */
interface ReadList {
	readonly links: readonly KnownLink[];
	readonly readAt: number;
	isOutdated?: boolean;
}

/** The links of an account: those that the service lists, and what this process has changed meanwhile. */
export class KnownLinks {
	#list?: ReadList;
	/** Why a list could not be read. Another try has another client, and reads it again. */
	readonly #errors = new WeakMap<Client, Error>();
	readonly #remembered = new RememberedLinks();
	/** When links were deleted here, by their IDs. */
	readonly #deleted = new Map<string, number>();
	#changeCount = 0;
	#createdCount = 0;

	copy(): KnownLinks {
		const copy = new KnownLinks();
		for (const each of this.#remembered.all()) copy.#remembered.add(each);
		for (const [id, at] of this.#deleted) copy.#deleted.set(id, at);
		copy.#createdCount = this.#createdCount;
		return copy;
	}

	/**
	 * Returns the links with an address, the newest first, the address as it is compared, whether the first is in the list,
	 * and whether older ones may exist, as the list is full. Throws Failure if the list cannot be read.
	 */
	async find(client: Client, address: string, compared: 'exact' | 'loose') {
		const list = await this.#load(client);
		const wanted = toKnown({ link: address });
		const isMatch = (known: KnownLink) => known[compared] === wanted[compared] && !this.#isDeleted(known);
		const listed = list.filter(isMatch);
		const remembered = this.#remembered.findLoosely(wanted).filter((each) => this.#counts(each) && isMatch(each));
		// A link without an ID is the listed one, if there is one.
		const created = remembered.filter(
			(each) => each.number !== undefined && (idOf(each) !== '' || listed.length === 0),
		);
		const pushedOut = remembered.filter(({ number }) => number === undefined);
		// A service may list another address than was sent.
		const inList = (each: KnownLink) => list.find((other) => idOf(other) === idOf(each) && idOf(each) !== '');
		const matches = [...new Set([...created, ...listed, ...pushedOut].map((each) => inList(each) ?? each))];
		const [newest] = matches;
		return {
			matches: matches.map(({ link }) => link),
			address: wanted[compared],
			isListed: newest !== undefined && list.includes(newest),
			isListFull: list.length >= MAX_LISTED,
		};
	}

	/** Returns the listed link with an ID; undefined if there is none. Throws Failure if the list cannot be read. */
	async findById(client: Client, linkId: string): Promise<IDataObject | undefined> {
		const list = await this.#load(client);
		return list.find((each) => idOf(each) === linkId && !this.#isDeleted(each))?.link;
	}

	#isDeleted(known: KnownLink): boolean {
		return isRemembered(this.#deleted.get(idOf(known)));
	}

	/** Whether a link counts that the list does not contain: the list may be older than the link, or so full that it lacks it. */
	#counts({ at, number }: RememberedLink): boolean {
		const isOlderThanList = number === undefined || this.#createdCount - number > MAX_LISTED;
		return at > Date.now() - RECENT_FOR_MS || (isOlderThanList && isRemembered(at));
	}

	async #load(client: Client): Promise<readonly KnownLink[]> {
		const earlier = this.#errors.get(client);
		if (earlier) throw earlier;
		const now = Date.now();
		if (this.#list && !this.#list.isOutdated && now < this.#list.readAt + LIST_LASTS_MS) return this.#list.links;
		try {
			const changes = this.#changeCount;
			const links = await client.request(listRequest(), (envelope) => parseLinks(envelope, 'link').map(toKnown));
			// A change that was noted meanwhile may be missing in it.
			if (changes === this.#changeCount) this.#keep({ links, readAt: Date.now() });
			return links;
		} catch (error) {
			this.#errors.set(client, error as Error);
			throw error as Error;
		}
	}

	/** Keeps a new list, and remembers what it has pushed out of the earlier one. */
	#keep(list: ReadList): void {
		const { links: earlier, readAt: at } = this.#list ?? list;
		const ids = new Set(list.links.map(idOf));
		const isListed = (each: KnownLink) => ids.has(idOf(each));
		const last = list.links.at(-1);
		const lastIndex = earlier.findLastIndex((each) => last && idOf(each) === idOf(last));
		const isFull = list.links.length >= MAX_LISTED;
		// If an older link has come into it, others were deleted.
		const hasPushedOut = isFull && (lastIndex >= 0 || !earlier.some(isListed));
		const pushedOut = hasPushedOut ? earlier.slice(lastIndex + 1) : [];
		for (const each of pushedOut) if (!isListed(each)) this.#remembered.addPushedOut(each, at);
		this.#list = list;
	}

	/** Makes a change of links, and notes it once it is done. By default, only the list decides from then on if its outcome is unknown. */
	async change<T>(make: () => Promise<T>, note: (result: T) => void, ifUnknown = () => this.invalidate()): Promise<T> {
		try {
			const result = await make();
			note(result);
			return result;
		} catch (error) {
			if (!(error instanceof Failure) || error.data.outcome === 'unknown') ifUnknown();
			throw error as Error;
		}
	}

	/** Sends a change of a link that exists, and notes it as {@link change} does. Throws Failure. */
	async send(client: Client, request: ServiceRequest, note: () => void): Promise<void> {
		await this.change(async () => await client.request(request, () => undefined), note);
	}

	noteCreated(link: IDataObject): void {
		this.#changeCount += 1;
		const known = toKnown(link);
		this.#deleted.delete(idOf(known));
		this.#remembered.add({ ...known, at: Date.now(), number: this.#createdCount });
		this.#createdCount += 1;
		// The next list may show its ID.
		if (this.#list && idOf(known) === '') this.#list.isOutdated = true;
	}

	/** Notes that a link may have been created: the list is read again, and what is known of other links stays. */
	noteMaybeCreated(): void {
		this.#changeCount += 1;
		if (this.#list) this.#list.isOutdated = true;
	}

	noteDeleted(linkId: string): void {
		this.#changeCount += 1;
		this.#remembered.remove(linkId);
		this.#deleted.delete(linkId);
		this.#deleted.set(linkId, Date.now());
		for (const [id, at] of this.#deleted) {
			if (isRemembered(at)) break;
			this.#deleted.delete(id);
		}
	}

	/** Notes that fields of the link with an ID were updated. A service may clear a title that is not sent. */
	noteUpdated(linkId: string, { title, link }: LinkForm): void {
		this.#changeCount += 1;
		const update = <T extends KnownLink>(known: T): T =>
			idOf(known) === linkId ? { ...known, ...toKnown({ ...known.link, title, ...(link && { link }) }) } : known;
		this.#list &&= { ...this.#list, links: this.#list.links.map(update) };
		this.#remembered.update(linkId, update);
	}

	/** Notes that any links may have been changed: only the list decides, and which links were deleted. */
	invalidate(): void {
		this.#changeCount += 1;
		this.#list = undefined;
		this.#remembered.clear();
	}
}

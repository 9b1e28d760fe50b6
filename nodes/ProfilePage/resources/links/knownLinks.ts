import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import { getOrCreate, isId } from '../../shared/values';
import type { Call, Inputs, Planner } from '../operation';
import { type Address, toAddress } from './addresses';
import { type LinkForm, listRequest, MAX_LISTED, type NewLink, parseLinks } from './linkRequests';
import { type KnownLink, type RecentChanges, recentChangesOf, toKnown } from './recentChanges';
import { isPending, type Schedule, scheduleOf } from './schedules';

/** For how long a list is used before it is read again, in milliseconds. */
const LIST_LASTS_MS = 60_000;

/** There is a link with the address: the newest, if there are others. */
export interface Existing extends Pick<KnownLink, 'fields' | 'isTitleUncertain'> {
	readonly state: 'exists';
	readonly hasOthers: boolean;
}

/** No link with the address is known. If the list is full, there may be an older one. */
export interface Absent {
	readonly state: 'absent';
	readonly isListFull: boolean;
	/** Where to note what became of it, if it is scheduled, and whether later runs will know. */
	readonly schedule?: Schedule;
	readonly isRemembered?: boolean;
}

/** A link with the address is not public yet; or it is unknown whether an earlier run has scheduled one. */
interface Hidden {
	readonly state: 'scheduled' | 'scheduled for another time' | 'unknown';
}

interface LinkList {
	/** The newest first: those that the service lists, and then those that newer links have pushed out of a full list. */
	readonly links: readonly KnownLink[];
	readonly isFull: boolean;
	/** When it was read, and how many changes were uncertain then. */
	readonly readAt: number;
	readonly uncertainCount: number;
}

const UNREAD: LinkList = { links: [], isFull: false, readAt: 0, uncertainCount: 0 };

/** What a try knows of the links of its account. */
export class KnownLinks {
	/** The latest. If it could not be read, it is not read again: each item would wait for it. */
	#list = Promise.resolve(UNREAD);
	/** What the try has created, by address: newer links may have pushed it out of a full list before that was read. */
	readonly #created = new Map<string, KnownLink[]>();
	readonly #recent: RecentChanges;
	/** The node whose memory n8n keeps; undefined for a preview, as asking n8n would change that memory. */
	readonly #node?: IExecuteFunctions;
	readonly #client: Client;

	constructor(context: IExecuteFunctions, client: Client) {
		const recent = recentChangesOf(client.account.id);
		this.#client = client;
		// A preview notes what it would change, so that it can say what a real run would do next.
		[this.#recent, this.#node] = client.isPreview ? [recent.copy(), undefined] : [recent, context];
	}

	/**
	 * Returns what is known of a link. If it is absent and scheduled, the node remembers from then on that it was tried.
	 * Throws Failure if the list or the memory of n8n cannot be read.
	 */
	async lookUp(
		{ link, schedule_from: publicFrom }: NewLink,
		compared: keyof Address,
	): Promise<Existing | Hidden | Absent> {
		const list = await this.#read();
		const address = toAddress(link);
		const found = this.#find(list, address, compared);
		const [newest, ...others] = found.filter((each) => !isPending(each.publicFrom));
		const { id: account } = this.#client.account;
		const schedule = this.#node && scheduleOf(this.#node, [account, address[compared]], publicFrom);
		if (newest) {
			if (list.links.some(({ id }) => id === newest.id)) await schedule?.forget();
			const { fields, isTitleUncertain } = newest;
			return { state: 'exists', fields, isTitleUncertain, hasOthers: others.length > 0 };
		}
		const [scheduled] = found;
		if (scheduled) return { state: isSameTime(scheduled, publicFrom) ? 'scheduled' : 'scheduled for another time' };
		const absent = { state: 'absent', isListFull: list.isFull } as const;
		if (!schedule || !isPending(publicFrom)) return absent;
		const earlier = await schedule.begin();
		if (earlier !== 'not tried' && earlier !== 'not remembered') return { state: earlier };
		return { ...absent, schedule, isRemembered: earlier === 'not tried' };
	}

	/** Returns the listed link with an ID; undefined if there is none. Throws Failure if the list cannot be read. */
	async findListed(id: string): Promise<IDataObject | undefined> {
		const { links } = await this.#read();
		const listed = links.find((each) => each.id === id);
		return listed && this.#recent.apply(listed)?.fields;
	}

	/** Creates a link, and knows it from then on. `parse` returns its fields. Throws Failure. */
	async create(request: ServiceRequest, newLink: NewLink, parse: Parse<IDataObject>): Promise<IDataObject> {
		const { title, link, schedule_from: publicFrom } = newLink;
		try {
			const fields = await this.#client.request(request, parse);
			// The service may return another address. Later items are compared with the address that was sent.
			const created = { ...toKnown({ ...fields, title, link }), publicFrom };
			getOrCreate(this.#created, created.loose, () => []).unshift(created);
			this.#recent.noteCreated(created);
			return fields;
		} catch (error) {
			this.#recent.noteFailed(error);
			throw error as Error;
		}
	}

	/** Sends a change of a link that exists, and knows it from then on. Throws Failure. */
	async change(request: ServiceRequest, id: string, change: LinkForm | 'deleted'): Promise<void> {
		const sentAt = Date.now();
		try {
			await this.#client.request(request, () => undefined);
			this.#recent.noteChange(id, change, sentAt);
		} catch (error) {
			this.#recent.noteFailed(error, id, change);
			throw error as Error;
		}
	}

	/** Returns the links with an address as they are now, the newest first. */
	#find({ links, isFull }: LinkList, address: Address, compared: keyof Address): KnownLink[] {
		const isMatch = (each: KnownLink) => this.#recent.apply(each)?.[compared] === address[compared];
		const created = isFull ? (this.#created.get(address.loose) ?? []) : [];
		const here = new Map(
			[...this.#recent.withAddress(address), ...created].filter(isMatch).map((each) => [each.id, each]),
		);
		// The service may list another address than was sent.
		const listed = links.filter((each) => here.has(each.id) || isMatch(each));
		for (const { id } of listed) here.delete(id);
		// A new link whose ID is unknown is the listed one, if there is one.
		const unlisted = [...here.values()].filter(({ fields }) => listed.length === 0 || isId(fields.link_id));
		return [...unlisted, ...listed].flatMap((each) => this.#recent.apply(each) ?? []);
	}

	/** Reads the list, unless it was read within the last minute, and no change since is uncertain. */
	async #read(): Promise<LinkList> {
		const reading = this.#list;
		const { readAt, uncertainCount, links } = await reading;
		const isFresh = readAt > Date.now() - LIST_LASTS_MS && uncertainCount === this.#recent.uncertainCount;
		// Another call may have begun to read it meanwhile.
		if (!isFresh && this.#list === reading) this.#list = this.#readAgain(links);
		return await this.#list;
	}

	async #readAgain(earlier: readonly KnownLink[]): Promise<LinkList> {
		const readAt = Date.now();
		const { uncertainCount } = this.#recent;
		const listed = await this.#client.request(listRequest(), (envelope) => parseLinks(envelope, 'link').map(toKnown));
		const ids = new Set(listed.map(({ id }) => id));
		const isFull = listed.length >= MAX_LISTED;
		// What stood above a link that is still listed was deleted.
		const older = isFull ? earlier.slice(earlier.findLastIndex(({ id }) => ids.has(id)) + 1) : [];
		const pushedOut = older.filter((each) => this.#recent.apply(each));
		return { links: [...listed, ...pushedOut], isFull, readAt, uncertainCount };
	}
}

/** Returns how an operation plans its items, with what its try knows of the links. */
export function withKnownLinks(plan: (item: Item, known: KnownLinks) => Call) {
	return ([{ context }]: Inputs, client: Client): Planner => {
		const known = new KnownLinks(context, client);
		return { plan: ([item]) => plan(item, known) };
	};
}

function isSameTime({ publicFrom = '' }: KnownLink, other = ''): boolean {
	return Date.parse(publicFrom) === Date.parse(other);
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import { listRequest, MAX_LISTED, type NewLink, parseLinks } from './linkRequests';
import { type CreatedLink, type KnownLink, type RecentChanges, recentChangesOf, toKnown } from './recentChanges';
import { isPending, type Schedule, scheduleOf } from './schedules';

/** For how long a list is used before it is read again, in milliseconds. */
const LIST_LASTS_MS = 60_000;

/** The service lists a link with the address, or one was created here: the newest, if there are others. */
export interface Existing {
	readonly state: 'listed' | 'created';
	readonly link: IDataObject;
	readonly isTitleUncertain?: boolean;
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

/** What a try knows of the links of its account. */
export class KnownLinks {
	/** The newest first: those that the service lists, what newer links have pushed out of a full list, and new ones. */
	#links: ReadonlyArray<KnownLink | CreatedLink> = [];
	#isListFull = false;
	#readAt = 0;
	/** How many changes were uncertain when the list was read. */
	#uncertainCount = 0;
	#reading?: Promise<void>;
	/** Why the list could not be read. It is not read again: each item would wait for it. */
	#error?: Error;
	readonly #recent: RecentChanges;

	constructor(
		readonly context: IExecuteFunctions,
		readonly client: Client,
	) {
		this.#recent = recentChangesOf(client);
	}

	/**
	 * Returns what is known of a link. If it is absent and scheduled, the node remembers from then on that it was tried.
	 * Throws Failure if the list or the memory of n8n cannot be read.
	 */
	async lookUp(
		{ link, schedule_from: publicFrom }: NewLink,
		compared: 'exact' | 'loose',
	): Promise<Existing | Hidden | Absent> {
		await this.#read();
		const { isPreview, account } = this.client;
		const address = toKnown({ link })[compared];
		const found = this.#find((each) => each[compared] === address);
		const [newest, ...others] = found.filter((each) => !isScheduled(each));
		const schedule = scheduleOf(this.context, [account.id, address], publicFrom);
		if (newest) {
			const isListed = !isCreated(newest);
			if (isListed && !isPreview) await schedule.forget();
			const { link: existing, isTitleUncertain } = newest;
			const state = isListed ? 'listed' : 'created';
			return { state, link: existing, isTitleUncertain, hasOthers: others.length > 0 };
		}
		const scheduled = found.find(isCreated);
		if (scheduled) return { state: isSameTime(scheduled, publicFrom) ? 'scheduled' : 'scheduled for another time' };
		const absent = { state: 'absent', isListFull: this.#isListFull } as const;
		if (isPreview || !isPending(publicFrom)) return absent;
		const earlier = await schedule.begin();
		if (earlier !== 'not tried' && earlier !== 'not remembered') return { state: earlier };
		return { ...absent, schedule, isRemembered: earlier === 'not tried' };
	}

	/** Returns the listed link with an ID; undefined if there is none. Throws Failure if the list cannot be read. */
	async findListed(linkId: string): Promise<IDataObject | undefined> {
		await this.#read();
		const listed = this.#links.find((each) => each.id === linkId && !isCreated(each));
		return listed && this.#recent.apply(listed)?.link;
	}

	/**
	 * Creates a link, and knows it from then on. A preview keeps what it would create for its try.
	 *
	 * @param parse returns the fields of the link
	 * @throws Failure
	 */
	async create(request: ServiceRequest, newLink: NewLink, parse: Parse<IDataObject>): Promise<IDataObject> {
		const { title, link, schedule_from: publicFrom } = newLink;
		try {
			const fields = await this.client.request(request, parse);
			// The service may return another address. Later items are compared with the address that was sent.
			const created = { ...toKnown({ ...fields, title, link }), at: Date.now(), publicFrom };
			this.#links = [created, ...this.#links];
			if (!this.client.isPreview) this.#recent.noteCreated(created);
			return fields;
		} catch (error) {
			this.#recent.noteFailed(error);
			throw error as Error;
		}
	}

	/** Returns the links that match, the newest first, as they are now. */
	#find(isMatch: (known: KnownLink) => boolean): Array<KnownLink | CreatedLink> {
		const isMatchNow = (each: KnownLink) => {
			const now = this.#recent.apply(each);
			return now !== undefined && isMatch(now);
		};
		const matches = [...this.#recent.created.filter(isMatchNow), ...this.#links.filter(isMatchNow)];
		// The service may list another address than was sent.
		const asListed = (each: KnownLink) =>
			this.#links.find((other) => !isCreated(other) && other.id === each.id && each.id !== '') ?? each;
		const found = [...new Set(matches.map(asListed))];
		// A new link whose ID is unknown is the listed one, if there is one.
		const isKnown = (each: KnownLink) => each.id !== '' || !isCreated(each) || found.every(isCreated);
		return found.filter(isKnown).flatMap((each) => this.#recent.apply(each) ?? []);
	}

	/** Reads the list, unless it was read within the last minute, and no change since is uncertain. */
	async #read(): Promise<void> {
		if (this.#error) throw this.#error;
		const isNew = this.#readAt > Date.now() - LIST_LASTS_MS;
		if (isNew && this.#uncertainCount === this.#recent.uncertainCount) return;
		this.#reading ??= this.#readAgain().finally(() => (this.#reading = undefined));
		await this.#reading;
	}

	async #readAgain(): Promise<void> {
		const readAt = Date.now();
		const { uncertainCount } = this.#recent;
		try {
			const links = await this.client.request(listRequest(), (envelope) => parseLinks(envelope, 'link').map(toKnown));
			const ids = new Set(links.map(({ id }) => id));
			this.#isListFull = links.length >= MAX_LISTED;
			// What a preview would have created is never listed.
			const isKept = this.#isListFull || this.client.isPreview;
			const unlisted = this.#links.filter((each) => !ids.has(each.id) && this.#recent.apply(each));
			this.#links = isKept ? [...links, ...unlisted] : links;
			this.#readAt = readAt;
			this.#uncertainCount = uncertainCount;
		} catch (error) {
			this.#error = error as Error;
			throw this.#error;
		}
	}
}

function isCreated(known: KnownLink | CreatedLink): known is CreatedLink {
	return 'at' in known;
}

function isScheduled(known: KnownLink | CreatedLink): boolean {
	return isCreated(known) && isPending(known.publicFrom);
}

function isSameTime({ publicFrom = '' }: CreatedLink, other = ''): boolean {
	return Date.parse(publicFrom) === Date.parse(other);
}

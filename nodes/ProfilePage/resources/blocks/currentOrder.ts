import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { failureOf } from '../../n8n/errors';
import { runState } from '../../n8n/memory';
import type { Client } from '../../service/client';
import { readExplanation } from '../../service/quotes';
import { done, type Ended, failed, type ServiceRequest } from '../../service/types';
import { asText } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import { blockList, type Entry, readList } from '../pages/lists';
import { readPage } from '../pages/pageField';
import { type CurrentArrangement, currentArrangements } from './arrangement';
import { orderRequest, readOrder, readOutput } from './order';
import { reorderFields } from './reorderFields';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';

const LOOK_FIRST = 'Look at the page before you run the workflow again: each run changes the order that it finds.';

/** The request of an order that was worked out from the current one. */
interface ArrangedRequest extends ServiceRequest {
	readonly blockIds: readonly string[];
	/** The blocks that the service listed, by ID. */
	readonly listed: ReadonlyMap<string, Entry>;
}

function isArranged(request: ServiceRequest | undefined): request is ArrangedRequest {
	return request !== undefined && 'blockIds' in request;
}

/** The last request of a run that changed a page, or may have, by account and page. */
const lastRequests = runState(() => new Map<string, ServiceRequest>());

/** Plans to read the order of a page, to arrange it, and to send it. Throws Failed if a field is invalid. */
export function planCurrentOrder(item: Item): Omit<Call, 'itemIndexes'> {
	const change = new PageChange(item);
	const { page, request, isRepeatable } = change;
	const send = async (client: Client, earlier?: ServiceRequest) => {
		const found = await change.find(client, earlier);
		return found.outcome === 'done' ? await change.send(client, found.result) : found;
	};
	return { key: page.id, request, send, isRepeatable };
}

/** What an item does to a page. */
class PageChange {
	readonly page;
	/** What it is about, with the blocks to move. */
	readonly request;
	/** Whether the blocks end up in the same order if it is done twice. */
	readonly isRepeatable;
	readonly #item;
	readonly #arrange;
	readonly #output;

	/** @throws Failed if a field is invalid */
	constructor(item: Item) {
		this.page = readPage(item);
		const { arrange, moved }: CurrentArrangement =
			currentArrangements[reorderFields.currentArrangement.read(item)](item);
		this.request = orderRequest(this.page, moved ?? [], PAGE_CHANGED);
		this.isRepeatable = moved !== undefined;
		this.#item = item;
		this.#arrange = arrange;
		this.#output = readOutput(item, this.page);
	}

	/** Returns what an earlier try may have sent, so that the page is not arranged twice, or else arranges its order. */
	async find(client: Client, earlier?: ServiceRequest): Promise<Ended<ArrangedRequest>> {
		if (isArranged(earlier)) {
			if (lastRequests(this.#item.context).get(client.account.id + this.page.id) === earlier) return done(earlier);
			const problem = 'another item has changed the page since an earlier try';
			if (!this.isRepeatable) return failed(problem, '', { outcome: 'not sent', request: this.request });
		}
		const read = await readList(client, blockList, this.page.id);
		if (read.outcome !== 'done') return { ...read, outcome: 'not sent', prevented: this.request };
		const listed = new Map(read.result.map((entry) => [entry.id, entry]));
		try {
			const blockIds = this.#arrange([...listed.keys()]);
			return done({ ...orderRequest(this.page, blockIds, PAGE_CHANGED), blockIds, listed });
		} catch (error) {
			return failureOf(error);
		}
	}

	async send(client: Client, request: ArrangedRequest): Promise<Ended<CallResult>> {
		const { page } = this;
		const { blockIds, listed } = request;
		const [top = ''] = blockIds;
		const name = readExplanation(listed.get(top)?.name, client.account.secrets);
		const info = `${name ? `"${shorten(name)}"` : `Block "${shorten(top)}"`} is on top of ${page.label}.`;
		const toItems = ({ id, ...block }: IDataObject) => this.#output({ id, ...listed.get(asText(id))?.named, ...block });
		const ended = await client.send(request, (envelope) => readOrder(envelope, page, blockIds, toItems, [info]));
		const mayBeChanged = ended.outcome === 'done' || ended.outcome === 'unknown';
		if (mayBeChanged) lastRequests(this.#item.context).set(client.account.id + page.id, request);
		return ended.outcome === 'unknown' && !this.isRepeatable ? { ...ended, advice: LOOK_FIRST } : ended;
	}
}

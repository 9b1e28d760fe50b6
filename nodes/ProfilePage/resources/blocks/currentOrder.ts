import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { settle } from '../../n8n/errors';
import { runState } from '../../n8n/memory';
import type { Client } from '../../service/client';
import { changedNothing, done, type Ended, failed } from '../../service/failure';
import { readExplanation } from '../../service/quotes';
import type { ServiceRequest } from '../../service/request';
import { asText } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import { blockList, type Entry, fetchEntries } from '../pages/entries';
import { type Page, readPage } from '../pages/pageField';
import { type Arrangement, readCurrentArrangement } from './arrangement';
import { orderRequest, parseOrder, readOutput } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';

const LOOK_FIRST = 'Look at the page before you run the workflow again: each run changes the order that it finds.';

/** An order that was worked out from the current one. */
interface Order {
	readonly blockIds: readonly string[];
	/** The blocks that the service listed, by ID. */
	readonly listed: ReadonlyMap<string, Entry>;
}

/**
 * The orders of a run, which may have several tries: those that may have been set, by item, and the last one that was
 * set or may have been, by account and page.
 */
const ordersOf = runState(() => ({ uncertain: new Map<Item['index'], Order>(), last: new Map<string, Order>() }));

/** What an item does to a page. */
interface PageChange extends Pick<Arrangement, 'arrange'> {
	readonly item: Item;
	readonly page: Page;
	/** What it is about. */
	readonly request: ServiceRequest;
	/** Whether the blocks end up in the same order if it is done twice. */
	readonly mayRunAgain: boolean;
	readonly output: ReturnType<typeof readOutput>;
}

/** Plans to read the order of a page, to arrange it, and to send it. Throws Failed if a field is invalid. */
export function planCurrentOrder(item: Item): Omit<Call, 'itemIndexes'> {
	const page = readPage(item);
	const { arrange, moved } = readCurrentArrangement(item);
	const request = orderRequest(page, moved ?? [], PAGE_CHANGED);
	const mayRunAgain = moved !== undefined;
	const change = { item, page, request, mayRunAgain, arrange, output: readOutput(item, page) };
	const perform = async (client: Client) => {
		const order = await findOrder(client, change);
		return order.outcome === 'done' ? await sendOrder(client, change, order.result) : order;
	};
	return { key: page.id, request, mayRunAgain, perform };
}

/** Returns the order that an earlier try may have set, so that the page is not arranged twice, or else arranges its order. */
async function findOrder(client: Client, change: PageChange): Promise<Ended<Order>> {
	const { item, page, request, mayRunAgain, arrange } = change;
	const { uncertain, last } = ordersOf(item.context);
	const earlier = uncertain.get(item.index);
	if (earlier && last.get(client.account.id + page.id) === earlier) return done(earlier);
	if (earlier && !mayRunAgain) {
		return failed('another item has changed the page since an earlier try', '', { outcome: 'not sent', request });
	}
	const list = await fetchEntries(client, blockList, page.id);
	if (list.outcome !== 'done') return { ...list, outcome: 'not sent', prevented: request };
	const listed = new Map(list.result.map((entry) => [entry.id, entry]));
	return settle(() => ({ blockIds: arrange([...listed.keys()]), listed }));
}

async function sendOrder(client: Client, change: PageChange, order: Order): Promise<Ended<CallResult>> {
	const { item, page, mayRunAgain, output } = change;
	const { blockIds, listed } = order;
	const [top = ''] = blockIds;
	const name = readExplanation(listed.get(top)?.name, client.account.secrets);
	const info = `${name ? `"${shorten(name)}"` : `Block "${shorten(top)}"`} is on top of ${page.label}.`;
	const toItems = ({ id, ...block }: IDataObject) => output({ id, ...listed.get(asText(id))?.named, ...block });
	const parse = (envelope: IDataObject) => parseOrder(envelope, page, blockIds, toItems, [info]);
	const ended = await client.request(orderRequest(page, blockIds, PAGE_CHANGED), parse);
	const { uncertain, last } = ordersOf(item.context);
	if (!changedNothing(ended.outcome)) last.set(client.account.id + page.id, order);
	if (ended.outcome === 'unknown') uncertain.set(item.index, order);
	if (ended.outcome === 'done') uncertain.delete(item.index);
	return ended.outcome === 'unknown' && !mayRunAgain ? { ...ended, advice: LOOK_FIRST } : ended;
}

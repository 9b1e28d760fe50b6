import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { runState } from '../../n8n/context';
import type { Client } from '../../service/client';
import { done, type Ended, requestFailure, settle } from '../../service/failure';
import { quoteSafely } from '../../service/quotes';
import type { Purpose, ServiceRequest } from '../../service/request';
import { asText, quotable } from '../../shared/values';
import { blockList, type Entry, namedOf, parseEntries, requestForList } from '../entries';
import type { CallResult, Plan } from '../operation';
import { type Page, readPage } from '../pages/pageField';
import { type Arrangement, readArrangement } from './arrangement';
import { orderParser, orderPurpose, orderRequest, readOutput } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';

const LOOK_AT_PAGE = 'Look at the page before you run the workflow again: each run changes the order that it finds.';

/** The blocks of a page in the order that they are to have, by ID. */
type Order = ReadonlyMap<string, Entry | undefined>;

/** The orders that this run has sent, so that a try repeats them instead of arranging again: the last one of each item, and of each page. */
const ordersOf = runState(() => ({ byItem: new Map<Item['index'], Order>(), onPage: new Map<string, Order>() }));

/** How an item changes the order of a page. */
interface PlannedOrder extends Arrangement {
	readonly item: Item;
	readonly page: Page;
	readonly purpose: Purpose;
	/** The request for the list of the blocks. */
	readonly list: ServiceRequest;
	readonly output: ReturnType<typeof readOutput>;
}

/** Plans to read the order of a page, to arrange it, and to send it. Throws Failed if a field is invalid. */
export function planCurrentOrder(item: Item): Plan {
	const page = readPage(item);
	const arrangement = readArrangement(item, 'current');
	const purpose = orderPurpose(page, PAGE_CHANGED);
	const list = requestForList(blockList, item.paths, page.id);
	const planned = { ...arrangement, item, page, purpose, list, output: readOutput(item, page) };
	const perform = async (client: Client) => {
		const order = await loadOrder(client, planned);
		return order.outcome === 'done' ? await sendOrder(client, planned, order.result) : order;
	};
	return { key: page.id, purpose, repeatable: arrangement.repeatable === true, perform };
}

/** Returns the order that an earlier try may have set. Without one, reads the order of the page, and arranges it. */
async function loadOrder(client: Client, planned: PlannedOrder): Promise<Ended<Order>> {
	const { item, page, purpose, list, arrange, repeatable } = planned;
	const { byItem, onPage } = ordersOf(item.context);
	const earlier = repeatable ? undefined : byItem.get(item.index);
	if (earlier && onPage.get(client.account.id + page.id) === earlier) return done(earlier);
	if (earlier) {
		return requestFailure('another item has changed the page since an earlier try', undefined, {
			outcome: 'not applied',
			purpose,
		});
	}
	const listed = await client.request(list, (envelope) => {
		return new Map(parseEntries(envelope, blockList).map((entry) => [entry.id, entry]));
	});
	if (listed.outcome !== 'done') return { ...listed, outcome: 'not applied', wanted: purpose };
	const blocks = listed.result;
	return settle(() => new Map(arrange([...blocks.keys()]).map((id) => [id, blocks.get(id)])));
}

async function sendOrder(client: Client, planned: PlannedOrder, order: Order): Promise<Ended<CallResult>> {
	const { item, page, repeatable, output } = planned;
	const blockIds = [...order.keys()];
	const [top = ''] = blockIds;
	const { secrets } = client.account;
	const [name, id] = [quoteSafely(order.get(top)?.name, secrets), quoteSafely(top, secrets)];
	const block = name ? `"${quotable(name)}"` : id ? `Block "${quotable(id)}"` : 'Another block';
	const note = `${block} is on top of ${page.label}.`;
	const toItems = ({ id, ...block }: IDataObject) => {
		const entry = order.get(asText(id));
		return output({ id, ...(entry && namedOf(entry)), ...block });
	};
	const parse = orderParser(page, blockIds, toItems, [note]);
	const ended = await client.request(orderRequest(page, blockIds, PAGE_CHANGED), parse);
	if (ended.outcome !== 'not applied') {
		const { byItem, onPage } = ordersOf(item.context);
		byItem.set(item.index, order);
		onPage.set(client.account.id + page.id, order);
	}
	return ended.outcome === 'unknown' && !repeatable ? { ...ended, advice: LOOK_AT_PAGE } : ended;
}

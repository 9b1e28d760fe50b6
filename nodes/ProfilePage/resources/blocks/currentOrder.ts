import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import { failingWith } from '../../service/failure';
import { quoteSafely } from '../../service/quotes';
import type { ServiceRequest } from '../../service/request';
import { asText, quotable } from '../../shared/values';
import { blockList, type Entry, namedOf, parseEntries, requestForList } from '../entries';
import type { Call } from '../operation';
import { readPage } from '../pages/pageField';
import { type Arrangement, readArrangement } from './arrangement';
import { describeTop, orderParser, orderRequest, readOutput } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';

/** The blocks of a page in the order that they are to have, by ID. */
type Order = ReadonlyMap<string, Entry | undefined>;

/** Plans to read the order of a page, to arrange it, and to send it. Throws Failure if a field is invalid. */
export function planCurrentOrder(item: Item): Call {
	const page = readPage(item);
	const arrangement = readArrangement(item, 'current');
	// To rotate twice is not the same as once, though each of its requests may be repeated.
	const purpose = { ...orderRequest(page, [], PAGE_CHANGED), idempotent: arrangement.isIdempotent === true };
	const list = requestForList(blockList, item.paths, page.id);
	const output = readOutput(item, page);

	const send = async (client: Client, order: Order) => {
		const toItems = ({ id, ...block }: IDataObject) => {
			const entry = order.get(asText(id));
			return output({ id, ...(entry && namedOf(entry)), ...block });
		};
		const note = describeTop(nameTop(order, arrangement, client), page, arrangement, client.isPreview);
		const blockIds = [...order.keys()];
		const parse = orderParser(page, blockIds, toItems, [note]);
		return await client.request(orderRequest(page, blockIds, PAGE_CHANGED), parse);
	};
	const perform = async (client: Client) => {
		const load = async () => await loadOrder(client, list, arrangement);
		const order = await failingWith({ outcome: 'not applied', wanted: purpose }, load);
		return await failingWith({ purpose, wanted: purpose }, async () => await send(client, order));
	};
	return { key: page.id, purpose, perform };
}

async function loadOrder(client: Client, list: ServiceRequest, { arrange }: Arrangement): Promise<Order> {
	const entries = await client.request(list, (envelope) => parseEntries(envelope, blockList));
	const blocks = new Map(entries.map((entry) => [entry.id, entry]));
	return new Map(arrange([...blocks.keys()]).map((id) => [id, blocks.get(id)]));
}

/** Returns the name or the ID of the first block that is not kept in place, unless it repeats a secret. */
function nameTop(order: Order, { kept }: Arrangement, { account: { secrets } }: Client): string | undefined {
	const top = [...order.keys()].find((id) => !kept?.has(id));
	if (top === undefined) return undefined;
	const [name, id] = [quoteSafely(order.get(top)?.name, secrets), quoteSafely(top, secrets)];
	return name ? `"${quotable(name)}"` : id ? `block "${quotable(id)}"` : 'another block';
}

import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import { toFailure } from '../../service/failure';
import { quoteSafely } from '../../service/quotes';
import { asText, quotable } from '../../shared/values';
import { blockList, type Entry, namedOf, parseEntries, requestForList } from '../entries';
import type { Call, CallResult } from '../operation';
import { readPage } from '../pages/pageField';
import { readArrangement } from './arrangement';
import { orderParser, orderRequest, readOutput } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';

/** The blocks of a page in the order that they are to have, by ID. */
type Order = ReadonlyMap<string, Entry | undefined>;

/** Plans to read the order of a page, to arrange it, and to send it. Throws Failure if a field is invalid. */
export function planCurrentOrder(item: Item): Call {
	const page = readPage(item);
	const { arrange, isIdempotent = false } = readArrangement(item, 'current');
	// To rotate twice is not the same as once, though each of its requests may be repeated.
	const purpose = { ...orderRequest(page, [], PAGE_CHANGED), idempotent: isIdempotent };
	const list = requestForList(blockList, item.paths, page.id);
	const output = readOutput(item, page);

	const loadOrder = async (client: Client): Promise<Order> => {
		try {
			const entries = await client.request(list, (envelope) => parseEntries(envelope, blockList));
			const blocks = new Map(entries.map((entry) => [entry.id, entry]));
			return new Map(arrange([...blocks.keys()]).map((id) => [id, blocks.get(id)]));
		} catch (error) {
			throw toFailure(error).with({ outcome: 'not applied', wanted: purpose });
		}
	};
	const perform = async (client: Client): Promise<CallResult> => {
		const order = await loadOrder(client);
		const toItems = ({ id, ...block }: IDataObject) => {
			const entry = order.get(asText(id));
			return output({ id, ...(entry && namedOf(entry)), ...block });
		};
		const note = `${nameTop(order, client)} is on top of ${page.label}.`;
		const blockIds = [...order.keys()];
		try {
			return await client.request(
				orderRequest(page, blockIds, PAGE_CHANGED),
				orderParser(page, blockIds, toItems, [note]),
			);
		} catch (error) {
			throw toFailure(error).with({ purpose, wanted: purpose });
		}
	};
	return { key: page.id, purpose, perform };
}

/** Returns the name or the ID of the first block, unless it repeats a secret. */
function nameTop(order: Order, { account: { secrets } }: Client): string {
	const [top = ''] = order.keys();
	const [name, id] = [quoteSafely(order.get(top)?.name, secrets), quoteSafely(top, secrets)];
	return name ? `"${quotable(name)}"` : id ? `Block "${quotable(id)}"` : 'Another block';
}

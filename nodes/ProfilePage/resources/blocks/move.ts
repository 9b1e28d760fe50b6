import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choiceField, integerField, notice } from '../../fields/field';
import type { Client } from '../../service/client';
import { quoteSafely } from '../../service/quotes';
import { asText, quotable } from '../../shared/values';
import { blockList, type Entry, namedOf, parseEntries, requestForList } from '../entries';
import type { Operation } from '../operation';
import { preview } from '../options';
import { type pageChoices, pageField, pathsNotice, readPage } from '../pages/pageField';
import { arrange } from './arrangement';
import { blockIdsField } from './blockIds';
import { describeTop, includePageId, orderParser, orderRequest, readOfPage, reorderingOf } from './order';
import { checkAmong, readArrangement } from './readArrangement';

const CHOOSE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';
const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check that the list at Blocks Path in the credential contains every block of the page.';
const NOT_THERE = {
	problem: 'is not on the page',
	advice: 'It may have been removed, or be on another page. Choose the blocks again.',
};

const blocksOfPage = {
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'blocks' satisfies keyof typeof pageChoices,
		loadOptionsDependsOn: [`${pageField.shown.name}.value`],
	},
	default: [],
} satisfies Partial<INodeProperties>;

const noPage = { [pageField.shown.name]: [''] };

const pageNotice = notice('pageNotice', 'Choose a page first. Then you can choose its blocks by name.', {
	show: noPage,
});

const fields = {
	arrangement: choiceField('Arrangement', 'arrangement', {
		noDataExpression: true,
		options: [
			{ name: 'Move to Bottom', value: 'moveToBottom', description: 'Put some blocks last, after the others' },
			{ name: 'Move to Top', value: 'moveToTop', description: 'Put some blocks first, then the others' },
			{ name: 'Reverse', value: 'reverse', description: 'Turn the current order upside down' },
			{ name: 'Rotate', value: 'rotate', description: 'Begin with another block in each run' },
			{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
		],
		default: 'moveToTop',
		description: 'How to change the order that the page has when the node runs',
	}),
	blocksToMove: blockIdsField({
		displayName: 'Blocks to Move',
		name: 'blocksToMove',
		...blocksOfPage,
		required: true,
		description: `They end up in the order in which you choose them. ${CHOOSE}`,
		displayOptions: { show: { arrangement: ['moveToBottom', 'moveToTop'] }, hide: noPage },
		ifEmpty: 'Choose the blocks to move.',
	}),
	blocksToKeep: blockIdsField({
		displayName: 'Blocks to Keep in Place',
		name: 'blocksToKeep',
		...blocksOfPage,
		description: `They keep their positions, such as a title at the top. The others move among the rest. ${CHOOSE}`,
		displayOptions: { show: { arrangement: ['reverse', 'rotate', 'shuffle'] }, hide: noPage },
	}),
	positions: integerField('Rotate By', 'rotateBy', {
		default: 1,
		description:
			'How many blocks each run moves from the top to the bottom. A negative number moves blocks from the bottom to the top.',
		displayOptions: { show: { arrangement: ['rotate'] } },
	}),
};

/** List blocks in a page, and reorder them (docs/api.md, sections 4.8 and 4.2). */
export const moveBlocks: Operation = {
	shown: {
		name: 'Move Blocks',
		value: 'move',
		description: 'Move blocks of a page by name, or rotate, reverse, or shuffle the order that it has now',
		action: 'Move or rotate blocks on page',
	},
	fields: [
		...[pageField, pathsNotice(), fields.arrangement, pageNotice],
		...[fields.blocksToMove, fields.blocksToKeep, fields.positions],
	],
	itemName: pageField,
	options: [includePageId, preview],
	plan: ([item]) => {
		const page = readPage(item);
		const arrangement = readArrangement(item, fields);
		const list = requestForList(blockList, item.paths, page.id);
		const ofPage = readOfPage(item, page);
		const perform = async (client: Client) => {
			const entries = await client.request(list, (envelope) => parseEntries(envelope, blockList));
			const blocks = new Map(entries.map((entry) => [entry.id, entry]));
			const current = [...blocks.keys()];
			checkAmong(current, arrangement, fields, NOT_THERE);
			const order = arrange(current, arrangement);
			const toItems = ({ id, ...block }: IDataObject) => {
				const entry = blocks.get(asText(id));
				return item.output([{ id, ...(entry && namedOf(entry)), ...block, ...ofPage }]);
			};
			const note = describeTop(order, arrangement, page, (id) => nameOf(id, blocks, client));
			const request = orderRequest(page, order, PAGE_CHANGED);
			return await client.request(request, orderParser(page, order, toItems, [note]));
		};
		// To read and rotate twice is not the same as once, though each request may be repeated.
		const idempotent = 'moved' in arrangement;
		// Between reading the order and changing it, no other execution must change it.
		return { purpose: reorderingOf(page), idempotent, perform, turn: { key: page.id, among: 'process' } };
	},
};

/** Returns the name or the ID of a block, unless it repeats a secret. */
function nameOf(id: string, blocks: ReadonlyMap<string, Entry>, { account: { secrets } }: Client): string {
	const [safeName, safeId] = [quoteSafely(blocks.get(id)?.name, secrets), quoteSafely(id, secrets)];
	return safeName ? `"${quotable(safeName)}"` : safeId ? `block "${quotable(safeId)}"` : 'another block';
}

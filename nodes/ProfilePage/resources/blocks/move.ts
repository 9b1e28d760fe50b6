import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { choiceField, integerField, notice } from '../../fields/field';
import type { Client } from '../../service/client';
import { asText, joined } from '../../shared/values';
import { blockList, type Entry, namedOf, requestForList } from '../entries';
import { loadNames, type Names } from '../names';
import type { Call, Inputs, Operation } from '../operation';
import { preview } from '../options';
import { type Page, type pageChoices, pageField, pathsNotice, preparePages } from '../pages/pageField';
import { arrange, type Arrangement } from './arrangement';
import { blocksField } from './blockFields';
import {
	describeTop,
	includePageId,
	nextTops,
	noteFor,
	orderParser,
	orderRequest,
	readOfPage,
	reorderingOf,
} from './order';
import { readArrangement } from './readArrangement';

const CHOOSE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';
const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check the Page, and then that the list at Blocks Path in the credential contains every block of the page.';
const blocksOfPage = {
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'blocks' satisfies keyof typeof pageChoices,
		loadOptionsDependsOn: [`${pageField.shown.name}.value`],
	},
	default: [],
	// Names, and IDs from expressions, are no values of the list.
	allowArbitraryValues: true,
} satisfies Partial<INodeProperties>;

const noPage = { [pageField.shown.name]: [''] };

/** Not `show`: with that, n8n would show it for every expression. */
const pageNotice = notice('pageNotice', 'Choose a page first. Then you can choose its blocks by name.', {
	hide: { [pageField.shown.name]: [{ _cnd: { not: '' } }] },
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
	blocksToMove: blocksField({
		displayName: 'Blocks to Move',
		name: 'blocksToMove',
		...blocksOfPage,
		required: true,
		description: `The blocks to move, by name or ID, such as Tour dates: those of all input items of the page. With Move to Top, they come first in this order, and the others follow. An expression can return a list, or a text with one block on each line. ${CHOOSE}`,
		displayOptions: { show: { arrangement: ['moveToBottom', 'moveToTop'] }, hide: noPage },
		ifEmpty: 'Choose the blocks to move.',
	}),
	blocksToKeep: blocksField({
		displayName: 'Blocks to Keep in Place',
		name: 'blocksToKeep',
		...blocksOfPage,
		description: `The blocks that keep their positions, by name or ID, such as a title at the top. The others move among the rest. ${CHOOSE}`,
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
		description:
			'Move blocks of a page by name, or rotate, reverse, or shuffle the order that it has now. It moves no links: a new link is always on top.',
		action: 'Move or rotate blocks by name on page',
	},
	fields: [
		...[pageField, pathsNotice(), fields.arrangement, pageNotice],
		...[fields.blocksToMove, fields.blocksToKeep, fields.positions],
	],
	itemName: pageField,
	options: [includePageId, preview],
	prepare: async (items, client) => {
		const readPage = await preparePages(items, client);
		return { groupBy: (item) => readPage(item).id, plan: (inputs) => planMove(inputs, readPage(inputs[0])) };
	},
};

function planMove(inputs: Inputs, page: Page): Call {
	const [item] = inputs;
	const findArrangement = readArrangement(inputs, fields);
	// An invalid path stops the node before it sends anything.
	requestForList(blockList, item.paths, page.id);
	const ofPage = readOfPage(item, page);
	const perform = async (client: Client) => {
		const names = await loadNames(client, item.paths, page);
		const blocks = new Map(names.entries.map((entry) => [entry.id, entry]));
		const arrangement = findArrangement(names);
		const order = arrange([...blocks.keys()], arrangement);
		const toItems = (block: IDataObject) => {
			const id = asText(block.id);
			return (arrangement.namedBy?.get(id) ?? item).output([{ ...withName(block, blocks.get(id)), ...ofPage }]);
		};
		const notes = [noteFor(client, describeOrder(order, arrangement, page, names))];
		return await client.request(orderRequest(page, order, PAGE_CHANGED), orderParser(page, order, toItems, notes));
	};
	// To rotate twice is not the same as once, though each request may be repeated.
	const repeat = fields.arrangement.read(item).startsWith('move') ? 'always' : 'ifNotApplied';
	// No other execution may change the order between the two requests.
	return { purpose: { ...reorderingOf(page), repeat }, perform, key: page.id };
}

/** Returns a block of the response with the name that the list has for it, beside its ID. */
function withName({ id, ...block }: IDataObject, entry?: Entry): IDataObject {
	return { id, ...(entry && namedOf(entry)), ...block };
}

/** Says which block is on top, and which two follow in the next runs. */
function describeOrder(blockIds: readonly string[], arrangement: Arrangement, page: Page, names: Names): string {
	const next = arrangement.kind === 'rotate' ? nextTops(blockIds, arrangement, arrangement.positions) : [];
	const later = next.length > 0 && `Then, run by run: ${next.map((id) => names.labelOf(id)).join(', ')}.`;
	return joined(' ', describeTop(blockIds, arrangement, page, names), later);
}

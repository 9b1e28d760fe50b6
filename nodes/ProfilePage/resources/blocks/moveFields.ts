import type { INodeProperties } from 'n8n-workflow';

import { choiceField, integerField, notice } from '../../fields/field';
import { forItem, type Item } from '../../fields/item';
import type { Inputs } from '../operation';
import type { Names } from '../pages/names';
import { type pageChoices, pageField } from '../pages/pageField';
import { type Arrangement, isMove, type Kind } from './arrangement';
import { blocksField, NAMES_AND_IDS } from './blockFields';

const CHOOSE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

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
const pageNotice = notice(
	'pageNotice',
	'Choose a page first. To list pages and blocks, the credential needs Pages Path and Blocks Path.',
	{ displayOptions: { hide: { [pageField.shown.name]: [{ _cnd: { not: '' } }] } } },
);

const arrangement = choiceField('Arrangement', 'arrangement', {
	noDataExpression: true,
	options: [
		{ name: 'Move to Bottom', value: 'moveToBottom', description: 'Put some blocks last, after the others' },
		{ name: 'Move to Top', value: 'moveToTop', description: 'Put some blocks first, then the others' },
		{ name: 'Reverse', value: 'reverse', description: 'Turn the current order upside down' },
		{ name: 'Rotate', value: 'rotate', description: 'Begin with another block in each run, also in a manual one' },
		{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
	],
	default: 'moveToTop',
	description: 'How to change the order that the page has when the node runs',
});

const blocksToMove = blocksField(
	{
		displayName: 'Blocks to Move',
		name: 'blocksToMove',
		...blocksOfPage,
		required: true,
		description: `The blocks to move, by name or ID, such as Tour dates: one, or a list. Those of all input items of the page are moved together. With Move to Top, they come first in this order, and the others follow. An expression can return a list, a JSON array, or a text with one block on each line. ${CHOOSE}`,
		displayOptions: { show: { arrangement: ['moveToBottom', 'moveToTop'] }, hide: noPage },
	},
	NAMES_AND_IDS,
	'Choose the blocks to move.',
);

const blocksToKeep = blocksField(
	{
		displayName: 'Blocks to Keep in Place',
		name: 'blocksToKeep',
		...blocksOfPage,
		description: `The blocks that keep the positions that they have when the node runs, by name or ID, such as a title. One on top stays on top, but none is moved there. The others move among the rest. ${CHOOSE}`,
		displayOptions: { show: { arrangement: ['reverse', 'rotate', 'shuffle'] }, hide: noPage },
	},
	NAMES_AND_IDS,
);

const rotateBy = integerField('Rotate By', 'rotateBy', {
	default: 1,
	description:
		'How many blocks each run moves from the top to the bottom. A negative number moves blocks from the bottom to the top.',
	displayOptions: { show: { arrangement: ['rotate'] } },
});

export const moveFields = [arrangement, pageNotice, blocksToMove, blocksToKeep, rotateBy] as const;

/** What was entered in the fields of Move Blocks. */
interface EnteredMove {
	readonly kind: Kind;
	/** The blocks to move, each with its item, or those to keep in place. */
	readonly blocks: ReadonlyArray<{ readonly text: string; readonly item: Item }>;
	readonly positions: number;
}

/** Reads the blocks to move from all items, and everything else from the first one. Throws Failure. */
export function readMove(inputs: Inputs): EnteredMove {
	const [first] = inputs;
	const kind = arrangement.read(first);
	const blocks = (isMove(kind) ? inputs : [first]).flatMap((item) => {
		return forItem(item, () => fieldOf(kind).read(item)).map((text) => ({ text, item }));
	});
	return { kind, blocks, positions: kind === 'rotate' ? rotateBy.read(first) : 0 };
}

function fieldOf(kind: Kind) {
	return isMove(kind) ? blocksToMove : blocksToKeep;
}

const IF_NOT_FOUND =
	'Use one of these names, one on each line. If it was chosen from the list of another page, remove it, and choose again.';

/**
 * Finds what was entered among the blocks of the page. Returns the arrangement, and which item named each of its blocks
 * first. Throws Failure if one is not found.
 */
export function findMove({ kind, blocks, positions }: EnteredMove, names: Names) {
	const { displayName } = fieldOf(kind).shown;
	const itemOf = new Map<string, Item>();
	for (const { text, item } of blocks) {
		const { id } = forItem(item, () => names.findOne(text, displayName, IF_NOT_FOUND));
		if (!itemOf.has(id)) itemOf.set(id, item);
	}
	const blockIds = [...itemOf.keys()];
	const found: Arrangement = isMove(kind) ? { kind, moved: blockIds } : { kind, kept: blockIds, positions };
	return { arrangement: found, itemOf };
}

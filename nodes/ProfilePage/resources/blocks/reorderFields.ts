import { anyField, choiceField, integerField, notice, textField } from '../../fields/field';
import { type pageChoices, pageField, pathsNotice } from '../pages/pageField';
import { blockIdsField } from './blockIds';

/** When fields are shown: for the current order of a page, and for an order that is given. */
const CURRENT = { show: { blockOrder: ['current'] } };
const GIVEN = { hide: CURRENT.show };

/** The blocks of the chosen page. */
const LOADED = {
	loadOptionsMethod: 'blocks' satisfies keyof typeof pageChoices,
	loadOptionsDependsOn: [`${pageField.shown.name}.value`],
};

const LIST_ALL = 'List every block on the page, from top to bottom, or set Block Order to Blocks by Name.';

/** In the order of the editor. */
export const reorderFields = {
	pageId: pageField,
	blockOrder: choiceField('Block Order', 'blockOrder', {
		noDataExpression: true,
		options: [
			{
				name: 'Blocks by Name',
				value: 'current',
				description: 'Change the order that the page has now, with blocks chosen by name',
			},
			{ name: 'Block IDs Below', value: 'list', description: 'Enter the block IDs here and move them into order' },
			{
				name: 'Block IDs From a Value',
				value: 'value',
				description: 'Paste the block IDs, one on each line, or use the result of an expression',
			},
			{
				name: 'From Input Items',
				value: 'inputItems',
				description: 'Use each input item as one block, in the order of the items',
			},
		],
		default: 'list',
		description: 'Where the order of the blocks comes from',
	}),
	idsNotice: notice(
		'idsNotice',
		'The order must contain every block of the page. To choose blocks by name, set Block Order to Blocks by Name.',
		GIVEN,
	),
	pathsNotice: pathsNotice(CURRENT),
	blockIds: blockIdsField({
		displayName: 'Block IDs',
		name: 'blockIds',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Block ID', sortable: true },
		default: [],
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of all blocks on the page, from top to bottom. To paste a whole list, set Block Order to Block IDs From a Value.',
		displayOptions: { show: { blockOrder: ['list'] } },
		ifEmpty: LIST_ALL,
	}),
	blockIdsValue: blockIdsField({
		displayName: 'Block IDs',
		name: 'blockIdsValue',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.blocks }}',
		description:
			'The IDs of all blocks on the page, from top to bottom: one on each line, separated by commas, or a JSON array. An expression can return a list of IDs, or of blocks with an ID. Each input item sends one request: to send only one, turn on Execute Once in the settings of the node.',
		displayOptions: { show: { blockOrder: ['value'] } },
		ifEmpty: LIST_ALL,
	}),
	blockIdField: textField('Block ID Field', 'blockIdField', 'Enter the name of the field that contains the block ID.', {
		requiresDataPath: 'single',
		required: true,
		default: 'id',
		placeholder: 'e.g. blockId',
		description:
			'The name of the field that contains the block ID in each input item. Use dots to reach a nested field.',
		displayOptions: { show: { blockOrder: ['inputItems'] } },
	}),
	arrangement: choiceField('Arrangement', 'arrangement', {
		noDataExpression: true,
		options: [
			{ name: 'As Listed', value: 'asListed', description: 'Keep the given order' },
			{ name: 'Move to Bottom', value: 'moveToBottom', description: 'Put some blocks last, after the others' },
			{ name: 'Move to Top', value: 'moveToTop', description: 'Put some blocks first, then the others' },
			{ name: 'Reverse', value: 'reverse', description: 'Reverse the given order' },
			{ name: 'Rotate', value: 'rotate', description: 'Begin with another block each hour, day, week, or month' },
			{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
		],
		default: 'asListed',
		description: 'How to change the given order before it is sent',
		displayOptions: GIVEN,
	}),
	blocksToMove: blockIdsField({
		displayName: 'Blocks to Move',
		name: 'blocksToMove',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of the blocks to move, in their new order: a JSON array, or IDs separated by commas or new lines. An expression can return a list of IDs, or of blocks with an ID.',
		displayOptions: { ...GIVEN, show: { arrangement: ['moveToBottom', 'moveToTop'] } },
		ifEmpty: 'List the blocks to move, or set Arrangement to As Listed.',
	}),
	blocksToKeep: blockIdsField({
		displayName: 'Blocks to Keep in Place',
		name: 'blocksToKeep',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of blocks that keep their positions, such as a title at the top, written as in Block IDs. The others move among the rest.',
		displayOptions: { ...GIVEN, show: { arrangement: ['reverse', 'rotate', 'shuffle'] } },
	}),
	rotateEvery: choiceField('Rotate Every', 'rotateEvery', {
		noDataExpression: true,
		options: [
			{ name: 'Custom', value: 'custom', description: 'By a number of positions that you enter' },
			{ name: 'Day', value: 'day', description: 'At midnight' },
			{ name: 'Hour', value: 'hour', description: 'At each full hour' },
			{ name: 'Month', value: 'month', description: 'On the first day of the month, at midnight' },
			{ name: 'Week', value: 'week', description: 'On Monday, at midnight' },
		],
		default: 'day',
		description:
			'How often the next block moves to the top, in the time zone of the workflow. All runs within one period set the same order.',
		displayOptions: { ...GIVEN, show: { arrangement: ['rotate'] } },
	}),
	rotateFrom: anyField({
		displayName: 'Rotation Start',
		name: 'rotateFrom',
		type: 'dateTime',
		default: '',
		description:
			'A date in the hour, day, week, or month in which the order is as listed. Each later one begins one block further, and each earlier one a block back. If this is empty, any block may be on top in the first run.',
		displayOptions: { ...GIVEN, show: { arrangement: ['rotate'], rotateEvery: ['day', 'hour', 'month', 'week'] } },
	}),
	rotateBy: integerField('Rotate By', 'rotateBy', {
		default: 1,
		description:
			'How many blocks to move from the top to the bottom. A negative number moves blocks from the bottom to the top.',
		displayOptions: { ...GIVEN, show: { arrangement: ['rotate'], rotateEvery: ['custom'] } },
	}),
	// With a name of its own: n8n stores no defaults, so of two fields with one name, a saved workflow could get the wrong
	// default.
	currentArrangement: choiceField('Arrangement', 'currentArrangement', {
		noDataExpression: true,
		options: [
			{ name: 'Move to Bottom', value: 'moveToBottom', description: 'Put some blocks last, after the others' },
			{ name: 'Move to Top', value: 'moveToTop', description: 'Put some blocks first, then the others' },
			{ name: 'Reverse', value: 'reverse', description: 'Turn the current order upside down' },
			{ name: 'Rotate', value: 'rotate', description: 'Begin with another block in each run' },
			{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
		],
		default: 'moveToTop',
		description: 'How to change the current order',
		displayOptions: CURRENT,
	}),
	pageNotice: notice('pageNotice', 'Choose a page first. Then you can choose its blocks by name.', {
		show: { ...CURRENT.show, [pageField.shown.name]: [''] },
	}),
	currentBlocksToMove: blockIdsField({
		displayName: 'Blocks to Move',
		name: 'currentBlocksToMove',
		type: 'multiOptions',
		typeOptions: LOADED,
		required: true,
		default: [],
		description:
			'They end up in the order in which you choose them. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: {
			show: { ...CURRENT.show, currentArrangement: ['moveToBottom', 'moveToTop'] },
			hide: { [pageField.shown.name]: [''] },
		},
		ifEmpty: 'Choose the blocks to move.',
	}),
	currentBlocksToKeep: blockIdsField({
		displayName: 'Blocks to Keep in Place',
		name: 'currentBlocksToKeep',
		type: 'multiOptions',
		typeOptions: LOADED,
		default: [],
		description:
			'They keep their positions, such as a title at the top. The others move among the rest. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: {
			show: { ...CURRENT.show, currentArrangement: ['reverse', 'rotate', 'shuffle'] },
			hide: { [pageField.shown.name]: [''] },
		},
	}),
	currentPositions: integerField('Rotate By', 'currentPositions', {
		default: 1,
		description:
			'How many blocks each run moves from the top to the bottom. A negative number moves blocks from the bottom to the top.',
		displayOptions: { show: { ...CURRENT.show, currentArrangement: ['rotate'] } },
	}),
};

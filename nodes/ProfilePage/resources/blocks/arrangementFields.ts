import type { INodeProperties } from 'n8n-workflow';

import { integerField } from '../../item/readers';

/** In the order of the editor, after the order of the blocks. */
export const arrangementFields = {
	arrangement: {
		displayName: 'Arrangement',
		name: 'arrangement',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'As Listed', value: 'asListed', description: 'Keep the given order' },
			{
				name: 'Move to Bottom',
				value: 'moveToBottom',
				description: 'Put some blocks last, after the others',
			},
			{
				name: 'Move to Top',
				value: 'moveToTop',
				description: 'Put some blocks first, then the others',
			},
			{ name: 'Reverse', value: 'reverse', description: 'Reverse the given order' },
			{
				name: 'Rotate',
				value: 'rotate',
				description: 'Begin with another block each hour, day, week, or month',
			},
			{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
		],
		default: 'asListed',
		description: 'How to change the given order before it is sent',
	},
	blocksToMove: {
		displayName: 'Blocks to Move',
		name: 'blocksToMove',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of the blocks to move, in their new order: a JSON array, or IDs separated by commas or new lines. An expression can return a list of IDs, or of blocks with an ID.',
		displayOptions: { show: { arrangement: ['moveToBottom', 'moveToTop'] } },
	},
	rotateEvery: {
		displayName: 'Rotate Every',
		name: 'rotateEvery',
		type: 'options',
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
		displayOptions: { show: { arrangement: ['rotate'] } },
	},
	rotateFrom: {
		displayName: 'Rotation Start',
		name: 'rotateFrom',
		type: 'dateTime',
		default: '',
		description:
			'A date in the hour, day, week, or month in which the order is as listed. The next one starts one block further. If this is empty, any block may be on top in the first run.',
		displayOptions: {
			show: { arrangement: ['rotate'], rotateEvery: ['day', 'hour', 'month', 'week'] },
		},
	},
	rotateBy: integerField({
		displayName: 'Positions',
		name: 'rotateBy',
		default: 1,
		description:
			'How many blocks to move from the top to the bottom. A negative number moves blocks from the bottom to the top.',
		displayOptions: { show: { arrangement: ['rotate'], rotateEvery: ['custom'] } },
	}),
} satisfies Record<string, INodeProperties>;

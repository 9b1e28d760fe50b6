import type { IExecuteFunctions } from 'n8n-workflow';

import { finishedReader, parameterReader } from '../../fields/parameterReader';
import { readChoice, readInteger, shorten } from '../../fields/readers';
import { ValidationError } from '../../shared/errors';
import { runState } from '../../shared/runState';
import { arrangementFields } from './arrangementFields';
import { FLATTEN_LIST, readBlockIds } from './blockIds';
import { type Clock, clockAt, periods } from './periods';
import { rotate, shuffle } from './permutations';

/** Returns the same blocks in another order. Throws ValidationError if the arrangement does not fit them. */
type Arrange = (blockIds: readonly string[]) => string[];

/** Returns the arrangement for an input item. Throws ValidationError if a field is invalid. */
type ArrangementReader = (itemIndex: number) => Arrange;

const readers: Readonly<Record<string, (context: IExecuteFunctions) => ArrangementReader>> = {
	asListed: () => () => (blockIds) => [...blockIds],
	moveToBottom: (context) => moveReader(context, (moved, others) => [...others, ...moved]),
	moveToTop: (context) => moveReader(context, (moved, others) => [...moved, ...others]),
	reverse: () => () => (blockIds) => [...blockIds].reverse(),
	rotate: rotationReader,
	shuffle: () => () => (blockIds) => shuffle(blockIds),
};

/** Returns a reader of the field Arrangement and of those that belong to the choice. It reads the clock once. */
export function arrangementReader(context: IExecuteFunctions): ArrangementReader {
	const { name, displayName, default: fallback } = arrangementFields.arrangement;
	const choice = context.getNodeParameter(name, 0, fallback);
	let read: ArrangementReader | undefined;
	return (itemIndex) => {
		read ??= readChoice(choice, displayName, readers)(context);
		return read(itemIndex);
	};
}

function moveReader(
	context: IExecuteFunctions,
	join: (moved: string[], others: string[]) => string[],
): ArrangementReader {
	const field = arrangementFields.blocksToMove.displayName;
	const read = finishedReader(context, arrangementFields.blocksToMove);
	const ifEmpty = 'List the blocks to move, or set Arrangement to As Listed.';
	return (itemIndex) => {
		const moved = readBlockIds(read(itemIndex), { field, ifEmpty, ifNested: FLATTEN_LIST });
		return (blockIds) => {
			const others = new Set(blockIds);
			for (const id of moved) {
				if (others.delete(id)) continue;
				const problem = `block "${shorten(id)}" is not in the order of the page`;
				throw new ValidationError(field, problem, 'Correct its ID, or add the block to the order.');
			}
			return join(moved, [...others]);
		};
	};
}

/** When a run of the node first read the clock. */
const startOf = runState(() => Date.now());

function rotationReader(context: IExecuteFunctions): ArrangementReader {
	const { rotateEvery, rotateBy } = arrangementFields;
	const every = context.getNodeParameter(rotateEvery.name, 0, rotateEvery.default);
	const readPositions = parameterReader(context, rotateBy);
	const custom = (_clock: Clock, itemIndex: number) =>
		readInteger(readPositions(itemIndex), rotateBy);
	const timeZone = context.getTimezone();
	const clock = clockAt(startOf(context), timeZone);
	return (itemIndex) => {
		if (!clock) {
			const problem = `n8n does not know the time zone "${shorten(timeZone)}"`;
			const advice = 'Choose a time zone in the settings of the workflow.';
			throw new ValidationError(rotateEvery.displayName, problem, advice);
		}
		const positionsOf = readChoice(every, rotateEvery.displayName, { ...periods, custom });
		const positions = positionsOf(clock, itemIndex);
		return (blockIds) => rotate(blockIds, positions);
	};
}

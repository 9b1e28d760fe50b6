import type { Field } from '../../fields/field';
import { forItem, type Item } from '../../fields/item';
import { getOrCreate } from '../../shared/values';
import type { Names } from '../names';
import type { Inputs } from '../operation';
import type { Arrangement } from './arrangement';
import type { FindBlocks } from './blockFields';

/** The fields of an arrangement in one of the operations. Each has texts of its own, and its own way to rotate. */
interface ArrangementFields {
	readonly arrangement: Field<Arrangement['kind']>;
	readonly blocksToMove: Field<FindBlocks>;
	readonly blocksToKeep: Field<FindBlocks>;
	readonly positions: { read: (item: Item) => number };
}

/** An arrangement, and for each block that it moves the first item that names it. */
type FoundArrangement = Arrangement & { readonly namedBy?: ReadonlyMap<string, Item> };

/**
 * Reads how to change an order: the blocks to move from all items, the other fields from the first one, and only those that
 * the editor shows. Returns how to find its blocks once the names of all blocks are known. Both may throw Failure.
 */
export function readArrangement(inputs: Inputs, fields: ArrangementFields): (names: Names) => FoundArrangement {
	const [item] = inputs;
	const kind = fields.arrangement.read(item);
	if (kind === 'asListed') return () => ({ kind });
	if (kind === 'moveToBottom' || kind === 'moveToTop') {
		const findMoved = readMoved(inputs, fields.blocksToMove);
		return (names) => {
			const namedBy = findMoved(names);
			return { kind, moved: [...namedBy.keys()], namedBy };
		};
	}
	const findKept = fields.blocksToKeep.read(item);
	if (kind !== 'rotate') return (names) => ({ kind, kept: findKept(names) });
	const positions = fields.positions.read(item);
	return (names) => ({ kind, kept: findKept(names), positions });
}

function readMoved(inputs: Inputs, blocksToMove: Field<FindBlocks>): (names: Names) => Map<string, Item> {
	const entered = inputs.map((item) => ({ item, find: forItem(item, () => blocksToMove.read(item)) }));
	return (names) => {
		const namedBy = new Map<string, Item>();
		for (const { item, find } of entered) {
			for (const blockId of forItem(item, () => find(names))) getOrCreate(namedBy, blockId, () => item);
		}
		return namedBy;
	};
}

import type { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { Names } from '../names';
import type { Arrangement } from './arrangement';
import type { FindBlocks } from './blockNames';

/** The fields of an arrangement in one of the operations, which differ in what the editor shows, and in how a rotation goes on. */
interface ArrangementFields {
	readonly arrangement: Field<Arrangement['kind']>;
	readonly blocksToMove: Field<FindBlocks>;
	readonly blocksToKeep: Field<FindBlocks>;
	readonly positions: { read: (item: Item) => number };
}

/**
 * Reads how to change an order: only the fields that the editor shows for the chosen arrangement. Returns how to find its
 * blocks by the names of all blocks. Both may throw Failure.
 */
export function readArrangement(item: Item, fields: ArrangementFields): (names: Names) => Arrangement {
	const kind = fields.arrangement.read(item);
	if (kind === 'asListed') return () => ({ kind });
	if (kind === 'moveToBottom' || kind === 'moveToTop') {
		const findMoved = fields.blocksToMove.read(item);
		return (names) => ({ kind, moved: findMoved(names) });
	}
	const findKept = fields.blocksToKeep.read(item);
	if (kind !== 'rotate') return (names) => ({ kind, kept: findKept(names) });
	const positions = fields.positions.read(item);
	return (names) => ({ kind, kept: findKept(names), positions });
}

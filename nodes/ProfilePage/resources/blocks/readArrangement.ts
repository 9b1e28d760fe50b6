import type { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { Arrangement } from './arrangement';

/** The fields of an arrangement in one of the operations, which differ in how blocks are entered, and how a rotation goes on. */
interface ArrangementFields<Blocks> {
	readonly arrangement: Field<Arrangement['kind']>;
	readonly blocksToMove: Field<Blocks>;
	readonly blocksToKeep: Field<Blocks>;
	readonly positions: { read: (item: Item) => number };
}

/** Reads how to change an order: only the fields that the editor shows for the chosen arrangement. */
export function readArrangement<Blocks>(item: Item, fields: ArrangementFields<Blocks>): Arrangement<Blocks> {
	const kind = fields.arrangement.read(item);
	switch (kind) {
		case 'asListed':
			return { kind };
		case 'moveToBottom':
		case 'moveToTop':
			return { kind, moved: fields.blocksToMove.read(item) };
		case 'rotate':
			return { kind, kept: fields.blocksToKeep.read(item), positions: fields.positions.read(item) };
		default:
			return { kind, kept: fields.blocksToKeep.read(item) };
	}
}

/** Returns an arrangement whose blocks have been found. `find` is told the name of their field. */
export function withBlocks<Blocks>(
	arrangement: Arrangement<Blocks>,
	{ blocksToMove, blocksToKeep }: ArrangementFields<Blocks>,
	find: (blocks: Blocks, displayName: string) => string[],
): Arrangement {
	if (arrangement.kind === 'asListed') return arrangement;
	return 'moved' in arrangement
		? { ...arrangement, moved: find(arrangement.moved, blocksToMove.shown.displayName) }
		: { ...arrangement, kept: find(arrangement.kept, blocksToKeep.shown.displayName) };
}

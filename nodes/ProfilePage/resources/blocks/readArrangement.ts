import type { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import { invalid } from '../../service/failure';
import { quotable } from '../../shared/values';
import type { Arrangement } from './arrangement';

/** The fields of an arrangement in one of the operations, which differ in how blocks are entered, and how a rotation goes on. */
interface ArrangementFields {
	readonly arrangement: Field<Arrangement['kind']>;
	readonly blocksToMove: Field<string[]>;
	readonly blocksToKeep: Field<string[]>;
	readonly positions: { read: (item: Item) => number };
}

/** Reads how to change an order: only the fields that the editor shows for the chosen arrangement. */
export function readArrangement(item: Item, fields: ArrangementFields): Arrangement {
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

/** Throws Failure if a block that an arrangement names is not among some others. */
export function checkAmong(
	blockIds: readonly string[],
	arrangement: Arrangement,
	{ blocksToMove, blocksToKeep }: ArrangementFields,
	{ problem, advice }: { problem: string; advice: string },
): void {
	if (arrangement.kind === 'asListed') return;
	const [named, { shown }] =
		'moved' in arrangement ? [arrangement.moved, blocksToMove] : [arrangement.kept, blocksToKeep];
	const known = new Set(blockIds);
	const unknown = named.find((id) => !known.has(id));
	if (unknown !== undefined) throw invalid(shown.displayName, `block "${quotable(unknown)}" ${problem}`, advice);
}

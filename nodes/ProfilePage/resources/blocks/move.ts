import { asText } from '../../shared/values';
import { keys } from '../keys';
import type { CallResult, Operation } from '../operation';
import { blockList, requestForList } from '../pages/configuredLists';
import { Names } from '../pages/names';
import { pageField, readPage } from '../pages/pageField';
import type { Session } from '../session';
import { arrange, isMove } from './arrangement';
import { findMove, moveFields, readMove } from './moveFields';
import { orderRequest, reorderingOf, warnOfOrder } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check the Page, and then that the list at Blocks Path in the credential contains every block of the page.';

/** List blocks in a page, and reorder them (docs/api.md, sections 4.8 and 4.2). */
export const moveBlocks: Operation = {
	shown: {
		name: 'Move Blocks',
		value: 'move',
		description:
			'Move blocks of a page by name, or rotate, reverse, or shuffle them. It moves no links: a new link is always on top.',
		action: 'Move or rotate blocks by name on page',
	},
	fields: [pageField, ...moveFields],
	hasPreview: true,
	groupBy: async (item, session) => (await readPage(item, session)).id,
	plan: async (inputs, session) => {
		const [item] = inputs;
		const page = await readPage(item, session);
		const entered = readMove(inputs);
		const list = requestForList(blockList, session.credential, page.id);
		const perform = async ({ client }: Session): Promise<CallResult> => {
			const names = new Names(await client.request(list), 'block', page.label);
			const { arrangement, itemOf } = findMove(entered, names);
			const before = names.entries.map(({ id }) => id);
			const blockIds = arrange(before, arrangement);
			const blocks = await client.request(orderRequest(page, blockIds, PAGE_CHANGED));
			// The response has no names.
			const listed = new Map(names.entries.map(({ id, json }) => [id, json]));
			const items = blocks.flatMap((block, position) => {
				const id = asText(block.id);
				return (itemOf.get(id) ?? item).output([{ ...listed.get(id), position, ...block, page_id: page.id }]);
			});
			const warnings = warnOfOrder(page, blockIds, blocks);
			const kept = 'kept' in arrangement ? arrangement.kept : [];
			return { items, warnings, notes: warnings.length > 0 ? [] : [describeChange(blockIds, kept, names)] };
		};
		const repeat = isMove(entered.kind) ? 'always' : 'ifNotApplied';
		// No other execution may change the order between the requests.
		return { purpose: { ...reorderingOf(page), repeat }, perform, key: keys.page(page.id) };
	},
};

/** Says which block is on top of a page now, of those that may move, or that the order is the same as before. */
function describeChange(blockIds: readonly string[], kept: readonly string[], names: Names): string {
	const { entries, owner } = names;
	const topId = blockIds.find((id) => !kept.includes(id));
	const top = entries.find(({ id }) => id === topId);
	const isSame = entries.every(({ id }, position) => id === blockIds[position]);
	if (isSame || !top) return `The order of ${owner} did not change.`;
	const where = topId === blockIds[0] ? owner : `${owner}, below what is kept in place`;
	return `On top of ${where}: ${names.labelOf(top)}.`;
}

import { asText } from '../../shared/values';
import { blockList, requestForList } from '../entries';
import { Names } from '../names';
import type { CallResult, Operation } from '../operation';
import { pageField, preparePages, readPage } from '../pages/pageField';
import type { Session } from '../session';
import { arrange, isMove } from './arrangement';
import { arrangementFields, findChosen, readArrangement } from './arrangementFields';
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
	fields: [pageField, ...arrangementFields],
	hasPreview: true,
	prepare: preparePages,
	groupBy: (item, session) => readPage(item, session).id,
	plan: (inputs, session) => {
		const [item] = inputs;
		const page = readPage(item, session);
		const arrangement = readArrangement(inputs);
		const list = requestForList(blockList, session.credential, page.id);
		const perform = async ({ client }: Session): Promise<CallResult> => {
			const names = new Names(await client.request(list), 'block', page.label);
			const chosen = findChosen(arrangement, names);
			const before = names.entries.map(({ id }) => id);
			const blockIds = arrange(before, { ...arrangement, chosen: [...chosen.keys()] });
			const blocks = await client.request(orderRequest(page, blockIds, PAGE_CHANGED));
			// The response has no names.
			const known = new Map(names.entries.map(({ id, json }) => [id, json]));
			const items = blocks.flatMap((block, position) => {
				const id = asText(block.id);
				return (chosen.get(id) ?? item).output([{ ...known.get(id), position, ...block, page_id: page.id }]);
			});
			const warnings = warnOfOrder(page, blockIds, blocks);
			return { items, warnings, notes: warnings.length > 0 ? [] : [describeChange(blockIds, names)] };
		};
		const repeat = isMove(arrangement.kind) ? 'always' : 'ifNotApplied';
		// No other execution may change the order between the requests.
		return { purpose: { ...reorderingOf(page), repeat }, perform, key: page.id };
	},
};

/** Says which block is on top of a page now, or that the order is the same as before. */
function describeChange(blockIds: readonly string[], names: Names): string {
	const { entries, owner } = names;
	const top = entries.find(({ id }) => id === blockIds[0]);
	const isSame = entries.every(({ id }, position) => id === blockIds[position]);
	return isSame || !top ? `The order of ${owner} did not change.` : `On top of ${owner}: ${names.labelOf(top)}.`;
}

import { booleanField, collectionField, Field, integerField } from '../../fields/field';
import { limitFields, readLimit } from '../../fields/limit';
import { groupField } from '../groups/groupField';
import { type Operation, sending } from '../operation';
import { toSimpleLink } from './linkOutput';
import { listRequest, MAX_LISTED } from './linkRequests';

const [returnAll, limit] = limitFields;

const hint = `That is up to ${MAX_LISTED}: the service lists no more than its newest public links`;
const returnAllListed = new Field({ ...returnAll.shown, hint }, returnAll.parse);

const skipFirst = integerField('Skip First', 'skip', {
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'Number of the newest links to leave out',
});

const simplify = booleanField('Simplify', 'simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const filters = collectionField(
	'Filters',
	'filters',
	{ placeholder: 'Add Filter' },
	{ groupId: groupField('groupsOrAny') },
);

const TRUNCATED = `The service lists only the ${MAX_LISTED} newest links. There may be older ones.`;

export const getAllLinks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: `Get up to ${MAX_LISTED} of the newest public links`,
		action: 'Get many links',
	},
	fields: [returnAllListed, limit, skipFirst, simplify, filters],
	plan: ([item]) => {
		const skip = skipFirst.read(item);
		const end = skip + readLimit(item);
		const isSimple = simplify.read(item);
		const { groupId } = filters.read(item);
		return sending(listRequest(groupId), (links) => {
			const selected = links.slice(skip, end);
			const isTruncated = links.length >= MAX_LISTED && end > MAX_LISTED;
			return {
				items: item.output(isSimple ? selected.map(toSimpleLink) : selected),
				warnings: isTruncated ? [TRUNCATED] : [],
			};
		});
	},
};

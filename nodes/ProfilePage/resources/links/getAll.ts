import { booleanField, Field } from '../../fields/field';
import { limitFields, readLimit } from '../../fields/limit';
import { groupFilters } from '../groups/groupField';
import { type Operation, sending } from '../operation';
import { toOutput } from './linkOutput';
import { listRequest, MAX_LISTED } from './linkRequests';

const [returnAll, limit] = limitFields;

const hint = `That is up to ${MAX_LISTED}: the service lists no more than its newest public links`;
const returnAllListed = new Field({ ...returnAll.shown, hint }, returnAll.parse);

const simplify = booleanField('Simplify', 'simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const TRUNCATED = `The service lists only the ${MAX_LISTED} newest links. There may be older ones.`;

export const getAllLinks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: `Get up to ${MAX_LISTED} of the newest public links`,
		action: 'Get many links',
	},
	fields: [returnAllListed, limit, simplify, groupFilters],
	plan: ([item]) => {
		const wanted = readLimit(item);
		const isSimple = simplify.read(item);
		const { groupId } = groupFilters.read(item);
		return sending(listRequest(groupId), (links) => {
			const selected = links.slice(0, wanted);
			const isTruncated = links.length >= MAX_LISTED && wanted > MAX_LISTED;
			return {
				items: item.output(isSimple ? selected.map((link) => toOutput(link)) : selected),
				warnings: isTruncated ? [TRUNCATED] : [],
			};
		});
	},
};

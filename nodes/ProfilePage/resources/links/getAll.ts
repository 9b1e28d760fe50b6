import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Collection, planEach } from '../../item/item';
import { limitFields, readLimit } from '../../item/limit';
import { integerField, readWebAddress } from '../../item/readers';
import { then } from '../../service/types';
import { asText } from '../../shared/values';
import { groupField, readGroupId } from '../groups/groupField';
import { type Operation, sending } from '../operation';
import { normalizeAddress } from './addresses';
import { urlField } from './linkFields';
import { listRequest, MAX_LISTED, readLinks } from './linkRequests';

const groupFilter = groupField('groupsOrAny');

const [returnAll, limit] = limitFields;

const LIST_HINT = `The service lists only its ${MAX_LISTED} newest public links`;

const skipFirst = integerField({
	displayName: 'Skip First',
	name: 'skip',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'Number of the newest links to leave out',
});

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const urlFilter = {
	...urlField,
	description:
		'Return only links with this address, compared as in If Link Exists of Create. If there is none, no item is returned.',
};

const filters: Collection = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [groupFilter, urlFilter],
};

export const getAllLinks: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get up to 50 of the newest public links',
		action: 'Get many links',
	},
	fields: [{ ...returnAll, hint: LIST_HINT }, limit, skipFirst, simplify, filters],
	plan: (items) =>
		planEach(items, (item) => {
			const skip = item.integer(skipFirst);
			const end = skip + readLimit(item);
			const isSimple = item.boolean(simplify);
			const set = item.collection(filters);
			const groupId = set.read(groupFilter, readGroupId);
			const url = set.read(urlFilter, readWebAddress);
			const address = url && normalizeAddress(url);
			const select = (links: IDataObject[]) => {
				const matches = links.filter(({ link }) => !address || normalizeAddress(asText(link)) === address);
				const selected = matches.slice(skip, end);
				const output = item.output(isSimple ? selected.map(toSimpleLink) : selected);
				const isMissing = address !== undefined && matches.length === 0;
				const isTruncated = links.length >= MAX_LISTED && (end > MAX_LISTED || isMissing);
				const warning = `The service lists only the ${MAX_LISTED} newest links. There may be older ones.`;
				return { items: output, ...(isTruncated && { warnings: [warning] }) };
			};
			return sending(listRequest(groupId), (envelope) => then(readLinks(envelope), select));
		}),
};

/** Returns a link without `meta` and fields that are not documented (docs/api.md, section 2.4). Its address and image are named as in Create. */
function toSimpleLink(link: IDataObject): IDataObject {
	const { link_id, title, link: url, image: image_url, position, created_at } = link;
	return { link_id, title, url, image_url, position, created_at };
}

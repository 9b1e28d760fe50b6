import type { IDataObject } from 'n8n-workflow';

import { addressField, booleanField, collectionField, Field, integerField } from '../../fields/field';
import { limitFields, readLimit } from '../../fields/limit';
import { asText } from '../../shared/values';
import { groupField } from '../groups/groupField';
import { type Operation, sending } from '../operation';
import { normalizeAddress } from './addresses';
import { URL_EXAMPLE } from './linkFields';
import { listRequest, MAX_LISTED, parseLinks } from './linkRequests';

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

const urlFilter = addressField('URL', 'url', {
	placeholder: URL_EXAMPLE,
	description:
		'Return only links with this address, compared as in If Link Exists of Create. If there is none, no item is returned.',
});

const filters = collectionField(
	'Filters',
	'filters',
	{ placeholder: 'Add Filter' },
	{ groupId: groupField('groupsOrAny'), url: urlFilter },
);

export const getAllLinks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get up to 50 of the newest public links',
		action: 'Get many links',
	},
	fields: [returnAllListed, limit, skipFirst, simplify, filters],
	plan: ([item]) => {
		const skip = skipFirst.read(item);
		const end = skip + readLimit(item);
		const isSimple = simplify.read(item);
		const { groupId, url } = filters.read(item);
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
		return sending(listRequest(groupId), (envelope) => select(parseLinks(envelope, address ? 'link' : undefined)));
	},
};

/** Returns a link without `meta` and fields that are not documented (docs/api.md, section 2.4). Its address and image are named as in Create. */
function toSimpleLink(link: IDataObject): IDataObject {
	const { link_id, title, link: url, image: image_url, position, created_at } = link;
	return { link_id, title, url, image_url, position, created_at };
}

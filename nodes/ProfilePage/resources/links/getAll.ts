import type { IDataObject } from 'n8n-workflow';

import { addressField, booleanField, collectionField, Field, integerField, textField } from '../../fields/field';
import { limitFields, readLimit } from '../../fields/limit';
import { asText, joined, quotable, withoutEntities } from '../../shared/values';
import { groupField } from '../groups/groupField';
import { type Operation, sending } from '../operation';
import { toAddress } from './addresses';
import { URL_EXAMPLE } from './linkFields';
import { toSimpleLink } from './linkOutput';
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
	description: 'Return only links with exactly this address, compared as in If Link Exists of Create',
});

const urlPartFilter = textField('URL Contains', 'urlContains', 'Enter a part of an address.', {
	placeholder: 'e.g. example.com',
	description: 'Return only links whose address contains this text, in any case, such as a domain',
});

const filters = collectionField(
	'Filters',
	'filters',
	{ placeholder: 'Add Filter' },
	{ groupId: groupField('groupsOrAny'), url: urlFilter, urlContains: urlPartFilter },
);

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
		const { groupId, url, urlContains } = filters.read(item);
		const isMatch = addressFilter(url, urlContains);
		const select = (links: IDataObject[]) => {
			const matches = isMatch ? links.filter(({ link }) => isMatch(asText(link))) : links;
			const selected = matches.slice(skip, end);
			const output = item.output(isSimple ? selected.map(toSimpleLink) : selected);
			const isMissing = isMatch !== undefined && matches.length === 0;
			const isTruncated = links.length >= MAX_LISTED && (end > MAX_LISTED || isMissing);
			return {
				items: output,
				...(isTruncated && { warnings: [TRUNCATED] }),
				...(isMissing && { notes: [describeMissing(links.length, url, urlContains)] }),
			};
		};
		return sending(listRequest(groupId), (envelope) => select(parseLinks(envelope, isMatch ? 'link' : undefined)));
	},
};

const TRUNCATED = `The service lists only the ${MAX_LISTED} newest links. There may be older ones.`;

/** Returns whether an address is wanted; undefined if all are. */
function addressFilter(url = '', part = ''): ((address: string) => boolean) | undefined {
	if (!url && !part) return undefined;
	const [exact, wanted] = [toAddress(url).exact, part.toLowerCase()];
	return (address) =>
		(!url || toAddress(address).exact === exact) && withoutEntities(address).toLowerCase().includes(wanted);
}

function describeMissing(count: number, url?: string, part?: string): string {
	const wanted = joined(' and ', url && `is "${quotable(url)}"`, part && `contains "${quotable(part)}"`);
	return `None of the ${count} links in the list has a URL that ${wanted}. Scheduled links are not listed.`;
}

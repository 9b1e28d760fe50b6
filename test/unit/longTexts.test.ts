import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readDateTime } from '../../nodes/ProfilePage/fields/dateTime';
import { checkEntered, isTemplate } from '../../nodes/ProfilePage/fields/entered';
import { readId, readText, readWebAddress } from '../../nodes/ProfilePage/fields/readers';
import type { ListContext } from '../../nodes/ProfilePage/n8n/lists';
import { readBody } from '../../nodes/ProfilePage/resources/api/body';
import { blocksField, IDS, NAMES_AND_IDS } from '../../nodes/ProfilePage/resources/blocks/blockFields';
import { normalizeAddress } from '../../nodes/ProfilePage/resources/links/addresses';
import { linkChoices } from '../../nodes/ProfilePage/resources/links/linkFields';
import { Names } from '../../nodes/ProfilePage/resources/pages/names';
import { readBaseUrl, readPath } from '../../nodes/ProfilePage/service/address';
import { toFailedResponse } from '../../nodes/ProfilePage/service/reasons';
import { withSaid } from '../../nodes/ProfilePage/service/quotes';
import { readResponse } from '../../nodes/ProfilePage/service/response';
import type { ServiceRequest, ServiceResponse } from '../../nodes/ProfilePage/service/request';
import { rejectsToken } from '../../nodes/ProfilePage/service/token';
import { findNewLinks } from '../../nodes/ProfilePage/trigger/linkMemory';
import { itemOf } from '../support/items';
import { processorTime } from '../support/processorTime';

/** What takes quadratic time needs more than half a second for this many characters, what takes linear time some milliseconds. */
const LENGTH = 50_000;

/** How long the processor may take, in milliseconds. */
const TIME_LIMIT = 250;

const PARTS = [' ', '\n', '\u0315\u0300', ...'1 [ ] { } ( {{ \\ % %25 %2e / " . , < &# = é'.split(' ')];

const field: INodeProperties = { displayName: 'Field', name: 'field', type: 'string', default: '' };
const [blockIds, blockNames] = [blocksField(field, IDS), blocksField(field, NAMES_AND_IDS)];
const entries = ['a,b', 'a\nb', ' [ é'].map((name, id) => ({ id: `b${id}`, name, json: {} }));
const names = new Names(entries, 'block', 'page "Home"');
const BASE = 'https://example.com';
const request: ServiceRequest<string> = {
	method: 'POST',
	path: '/a',
	repeat: 'ifNotApplied',
	subject: 'it',
	effect: ['was', 'done'],
	advice: '',
	read: String,
};
const OK: ServiceResponse = { statusCode: 200, headers: {}, body: {} };
const secrets = ['s3cret-t0ken'];
const linkOf = (text: string): IDataObject => ({ link_id: text, title: text, link: text, created_at: text });

/** Loads the choices of links, as if the service listed these. */
async function choicesOf(links: IDataObject[]) {
	const client = { request: async ({ read }: ServiceRequest) => await Promise.resolve(read({ data: links })) };
	return await linkChoices.links({ client } as unknown as ListContext);
}

/** Each place that reads a text of a field, an item, or a response, and what precedes a text that gets further in it. */
const readers: ReadonlyArray<readonly [place: string, prefix: string, read: (text: string) => unknown]> = [
	['path', '/a', (text) => readPath(text, 'Path', BASE)],
	['path of an address', '', (text) => readPath(BASE + text, 'Path', BASE)],
	['date', '2026-01-01', (text) => readDateTime(text, 'Date', 'Europe/Rome')],
	['template', '=x{{', isTemplate],
	['value of a template', '=x{{', (text) => checkEntered({ raw: text, value: text }, 'Text')],
	['path into an item', '={{ $json.', (text) => itemOf({ entered: { field: text } }).entered(field, 'field')],
	['text', '', (text) => readText(text, 'Text', '')],
	['ID', '', (text) => readId(text, 'ID', '')],
	['web address', 'https://a/', (text) => readWebAddress(text, 'URL')],
	['block IDs', '["', (text) => blockIds.read(itemOf({ values: { field: text } }))],
	['block names', '["', (text) => blockNames.read(itemOf({ values: { field: text } })).map((name) => names.find(name))],
	['body of a request', '{"', (text) => readBody(itemOf({ entered: { body: text } }))],
	['address of a link', 'https://a/', normalizeAddress],
	['Base URL', 'https://a', readBaseUrl],
	['words of the service', '<title>', (text) => withSaid({ ...OK, body: { errors: [text], message: text } }, secrets)],
	['body', '', (text) => readResponse({ ...OK, body: text }, request)],
	['status', '', (text) => readResponse({ ...OK, body: { status: text } }, request)],
	['Retry-After', '2', (text) => toFailedResponse({ ...OK, headers: { 'retry-after': text } })],
	['body that rejects a token', '', (text) => rejectsToken({ ...OK, statusCode: 400, body: [text, { error: text }] })],
	['list of links', '', async (text) => await choicesOf([linkOf(text)])],
	['list of links of the trigger', '', (text) => findNewLinks([linkOf(text)], { seen: [], reached: -1 })],
];

test.each(readers)('%s: a text of any length does not block n8n, whatever it is', async (_place, prefix, read) => {
	const slow: string[] = [];
	for (const start of new Set(['', prefix])) {
		for (const part of PARTS) {
			const text = `${start}${part.repeat(LENGTH / part.length)}x`;
			const time = await processorTime(() => read(text), TIME_LIMIT);
			if (time > TIME_LIMIT) slow.push(`${start}${part}…: ${Math.round(time)} ms`);
		}
	}
	expect(slow).toEqual([]);
});

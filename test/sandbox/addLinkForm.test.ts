import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { eventsDuring, type Fields, FORM, getPage, send } from '../support/serviceClient';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox()));
afterEach(async () => await sandbox.close());

const LINK = { title: 'Added by hand', link: 'https://example.com/by-hand' };

describe('The form that adds a link', () => {
	test('is on the page, outside of the part that is replaced when something changes', async () => {
		const { html } = await getPage(sandbox, '/');
		const [form = ''] = /<form[^>]*action="\/links".*?<\/form>/s.exec(html) ?? [];
		expect([...form.matchAll(/<input[^>]*name="(\w+)"/g)].map(([, name]) => name)).toEqual(Object.keys(LINK));
		const live = html.match(/<section[^>]*data-live.*?<\/section>/gs) ?? [];
		expect(live).toHaveLength(5);
		expect(live.join('')).not.toContain('action="/links"');
	});

	test('adds a link at the top, returns to the form, and updates open pages', async () => {
		const before = sandbox.account.links.all;
		const events = await eventsDuring(sandbox, async () => {
			const { statusCode, headers } = await request(`${sandbox.baseUrl}/links`, {
				method: 'POST',
				headers: { 'content-type': FORM, origin: sandbox.baseUrl },
				body: new URLSearchParams(LINK).toString(),
			});
			expect([statusCode, headers.location]).toEqual([303, '/#add-link']);
		});
		expect(events).toEqual(['data: changed']);
		expect(sandbox.account.links.all).toEqual([expect.objectContaining(LINK), ...before]);
		expect(sandbox.account.links.list()[0]).toMatchObject(LINK);
		expect((await getPage(sandbox, '/')).html).toContain('id="add-link"');
	});

	test.each<[Fields, string]>([
		[{ ...LINK, title: '' }, 'title is missing.'],
		[{ ...LINK, link: 'example.com' }, 'link must be an http or https address.'],
		[{ ...LINK, link: 'javascript:alert(1)' }, 'link must be an http or https address.'],
	])('adds no link with the fields %j', async (fields, message) => {
		const before = sandbox.account.links.all;
		const { status, body } = await send(sandbox, '/links', {
			method: 'POST',
			headers: { 'content-type': FORM },
			body: new URLSearchParams(fields).toString(),
		});
		expect([status, body]).toEqual([400, { status: false, errors: [message] }]);
		expect(sandbox.account.links.all).toEqual(before);
	});
});

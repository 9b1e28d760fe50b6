import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { type Fields, FORM, getProfileStatus, newToken } from '../support/serviceClient';

const HOUR = 3_600_000;
const START = Date.parse('2030-01-31T18:00:00+01:00');

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ time: START })));
afterEach(async () => await sandbox.close());

async function post(fields: Fields) {
	const { statusCode, headers, body } = await request(`${sandbox.baseUrl}/clock`, {
		method: 'POST',
		headers: { 'content-type': FORM },
		body: new URLSearchParams(fields).toString(),
	});
	await body.dump();
	return { status: statusCode, location: headers.location };
}

describe('The clock of a sandbox', () => {
	test('starts at the given time, is moved ahead in a test, and does not expire tokens', async () => {
		const token = await newToken(sandbox);
		expect(sandbox.clock.now() - START).toBeLessThan(10_000);
		expect(sandbox.clock.now()).toBeGreaterThanOrEqual(START);
		sandbox.clock.advance(1000 * HOUR);
		expect(sandbox.clock.now() - START).toBeGreaterThanOrEqual(1000 * HOUR);
		expect(await getProfileStatus(sandbox, token)).toBe(200);
		sandbox.account.links.add({ title: 'New', link: 'https://example.com/' });
		expect(Date.parse(sandbox.account.links.all[0]!.created_at) - START).toBeGreaterThanOrEqual(1000 * HOUR);
	});

	test.each([
		[{ advance: '86400' }, START + 24 * HOUR],
		[{ until: '2099-06-01T07:00:00+00:00' }, Date.parse('2099-06-01T07:00:00Z')],
		[{ set: 'now' }, Date.now()],
	])('moves to the time of the form %j', async (fields, expected) => {
		expect(await post(fields)).toMatchObject({ status: 303, location: '/' });
		const moved = sandbox.clock.now() - expected;
		expect(moved).toBeGreaterThanOrEqual(0);
		expect(moved).toBeLessThan(60_000);
	});

	test.each<Fields>([{}, { advance: '-1' }, { advance: '9007199254740991' }, { until: 'tomorrow' }])(
		'is not moved by the form %j',
		async (fields) => {
			const { offset } = sandbox.clock;
			expect((await post(fields)).status).toBe(400);
			expect(sandbox.clock.offset).toBe(offset);
		},
	);

	test('leaves no link from the future behind when it is set back, and a new link is the newest', () => {
		const { links } = sandbox.account;
		sandbox.clock.advanceTo(Date.parse('2099-06-10T00:00:00Z'));
		links.add({ title: 'From the future', link: 'https://example.com/' });
		sandbox.clock.reset();
		expect(links.stateOf(links.all.find(({ title }) => title === 'Farewell concert')!)).toBe('scheduled');
		links.add({ title: 'Newest', link: 'https://example.com/' });
		const created = links.list().map((link) => Date.parse(link.created_at));
		expect(created).toEqual(created.toSorted((a, b) => b - a));
		expect(created[0]).toBeLessThanOrEqual(Date.now());
	});
});

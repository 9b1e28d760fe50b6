import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { request } from 'undici';

import { namedFaults } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { get, grant, newToken } from './client';

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
	sandbox = await startSandbox();
	token = await newToken(sandbox);
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.faults.clear());

async function readAnswer() {
	const { statusCode, headers, body } = await request(`${sandbox.baseUrl}/oauth/v1/me`, {
		headers: { authorization: `Bearer ${token}` },
	});
	return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
}

const GZIPPED_JSON = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

describe('a named fault', () => {
	test('"empty" answers with status 200 and no body', async () => {
		sandbox.faults.add({ fault: namedFaults.empty });
		const { status, body } = await readAnswer();
		expect([status, body.length]).toEqual([200, 0]);
	});

	test.each([
		['corrupt', /invalid|incorrect/],
		['truncated', /unexpected end of file/],
	])('"%s" answers with a whole response whose gzip stream is broken', async (name, message) => {
		sandbox.faults.add({ fault: namedFaults[name] });
		const { status, headers, body } = await readAnswer();
		expect(status).toBe(200);
		expect(headers).toMatchObject({ ...GZIPPED_JSON, 'content-length': String(body.length) });
		expect(() => gunzipSync(body)).toThrow(message);
	});
});

describe('the latency of a fault rule', () => {
	test('delays only the path that the rule names, as often as it says', async () => {
		sandbox.faults.add({ path: '/token', latency: 1000, times: 1 });
		sandbox.recorder.reset();
		const finished: string[] = [];
		const run = async (name: string, act: () => Promise<{ status: number }>) => {
			expect((await act()).status).toBe(200);
			finished.push(name);
		};
		const slow = run('first grant', () => grant(sandbox));
		while (sandbox.recorder.grants === 0) await wait(5);
		await run('call', () => get(sandbox, '/oauth/v1/me', token));
		await run('second grant', () => grant(sandbox));
		await slow;
		expect(finished).toEqual(['call', 'second grant', 'first grant']);
	});

	test('delays the fault of the rule', async () => {
		sandbox.faults.add({ latency: 300, fault: { status: 503, body: '{}' } });
		const start = performance.now();
		expect((await get(sandbox, '/oauth/v1/me', token)).status).toBe(503);
		expect(performance.now() - start).toBeGreaterThanOrEqual(295);
	});
});

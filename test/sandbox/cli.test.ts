import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { requestToken } from '../support/serviceClient';
import { waitUntil } from '../support/waitUntil';

let started: ChildProcess | undefined;

/** Stops the sandbox that a failed test has left. */
afterEach(() => started?.kill('SIGKILL'));

test('npm run sandbox prints what a credential and a node need, and stops cleanly', async () => {
	const args = ['--import', 'tsx', 'sandbox/cli.ts', '--port', '0'];
	started = spawn(process.execPath, args, { cwd: path.resolve(__dirname, '../..') });
	let printed = '';
	for (const output of [started.stdout!, started.stderr!])
		output.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const closed = once(started, 'close');
	await Promise.race([waitUntil(() => printed.includes('Ctrl+C')), closed]);
	const read = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
	const [baseUrl, clientId, clientSecret] = [read('Base URL'), read('Client ID'), read('Client Secret')];
	expect(await requestToken({ baseUrl, clientId, clientSecret })).toMatchObject({ status: 200 });
	expect([read('Pages Path'), read('Client Secret of the public app')]).toEqual([
		'/oauth/v1/sandbox/pages',
		'sandbox-public-client-secret',
	]);
	started.kill('SIGTERM');
	expect(await closed).toEqual([0, null]);
	expect(printed).toContain('Stopped.');
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { requestToken } from '../support/serviceClient';

let started: ChildProcess | undefined;

/** Stops the sandbox that a failed test has left. */
afterEach(() => started?.kill('SIGKILL'));

/** Starts the sandbox like its npm script, and waits until it is ready or exits. Returns what it prints. */
async function start(...flags: string[]) {
	const args = ['--import', 'tsx', 'sandbox/cli.ts', '--port', '0', ...flags];
	const child = spawn(process.execPath, args, { cwd: path.resolve(__dirname, '../..') });
	started = child;
	let printed = '';
	await new Promise<void>((resolve) => {
		const read = (chunk: Buffer) => {
			printed += chunk.toString();
			if (printed.includes('Ctrl+C')) resolve();
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		child.on('close', () => resolve());
	});
	return { child, printed: () => printed };
}

test('npm run sandbox prints what a credential and a node need, fails as it is asked to, and stops cleanly', async () => {
	const fail = ['--fail', '503', '--fail-path', '/token', '--fail-times', '1'];
	const { child, printed } = await start(...fail);
	const read = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed())?.[1] ?? '';
	const [baseUrl, clientId, clientSecret] = [read('Base URL'), read('Client ID'), read('Client Secret')];
	for (const status of [503, 200]) {
		expect(await requestToken({ baseUrl, clientId, clientSecret })).toMatchObject({ status });
	}
	expect([read('Pages Path'), read('Client Secret of the public app')]).toEqual([
		'/oauth/v1/sandbox/pages',
		'sandbox-public-client-secret',
	]);
	expect(printed()).not.toMatch(/Warning|Certificate/);
	const closed = once(child, 'close');
	child.kill('SIGTERM');
	expect(await closed).toEqual([0, null]);
	expect(printed()).toContain('Stopped.');
});

test('npm run sandbox rejects a flag with an explanation', async () => {
	const { printed } = await start('--fail', 'constructor');
	expect(printed()).toContain('Enter an HTTP status or one of reset, hang, trickle, lost, cut, html, empty');
});

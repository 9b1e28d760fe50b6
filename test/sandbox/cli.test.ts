import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { Command } from 'commander';

import { parseFlags } from '../../sandbox/flags';
import { requestToken } from '../support/serviceClient';

const started: ChildProcess[] = [];

/** Stops the sandboxes that a failed test has left. */
afterEach(async () => {
	for (const child of started.splice(0)) {
		if (child.exitCode === null && child.signalCode === null) await stop(child);
	}
});

/** Starts the sandbox like its npm script, and waits until it is ready or exits. */
async function start(...flags: string[]) {
	const args = ['--import', 'tsx', 'sandbox/cli.ts', '--port', '0', ...flags];
	const child = spawn(process.execPath, args, { cwd: path.resolve(__dirname, '../..') });
	started.push(child);
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
	const read = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
	return { process: child, read, printed: () => printed };
}

async function stop(child: ChildProcess): Promise<unknown> {
	child.kill('SIGTERM');
	const [code] = (await once(child, 'close')) as [number | null];
	return code;
}

test('npm run sandbox prints what a credential and a node need, runs, and stops cleanly', async () => {
	const fail = ['--fail', '503', '--fail-path', '/token', '--fail-times', '1'];
	const sandbox = await start('--token-lifetime', '7', '--time', '2099-06-01T09:00:00+02:00', ...fail);
	const [baseUrl = '', clientId = '', clientSecret = ''] = ['Base URL', 'Client ID', 'Client Secret'].map(sandbox.read);
	const getToken = async () => await requestToken({ baseUrl, clientId, clientSecret });
	expect((await getToken()).status).toBe(503);
	expect(await getToken()).toMatchObject({ status: 200, body: { expires_in: 7 } });
	const publicApp = ['Client ID', 'Client Secret', 'User name', 'Password'].map((name) => sandbox.read(`  ${name}`));
	expect(publicApp).toEqual([
		'sandbox-public-client-id',
		'sandbox-public-client-secret',
		'sandbox',
		'sandbox-password',
	]);
	for (const text of [
		`Base URL       ${baseUrl}`,
		'Pages Path     /oauth/v1/sandbox/pages',
		'Blocks Path    /oauth/v1/sandbox/blocks',
		'  PAGE_home_65f1c0a2b3d4e (Home, 4 blocks)',
		'Groups         1 (Shop), 2 (Events), 3 (Press)',
		'Clock          2099-06-01T07:00:',
		'Failure        503, for paths that end with /token, once',
	]) {
		expect(sandbox.printed()).toContain(`\n${text}`);
	}
	expect(sandbox.printed()).not.toMatch(/Warning|Certificate/);

	expect(await stop(sandbox.process)).toBe(0);
	expect(sandbox.printed()).toContain('Stopped.');
});

test.each([
	[['--what'], "unknown option '--what'"],
	[['--fail', 'constructor'], 'Enter an HTTP status or one of reset, hang, trickle, lost, cut, html, malformed, empty'],
	[['--host-name', 'my-box:4747'], 'Enter a host name or an IP address, without a port.'],
])('npm run sandbox rejects the flags %p with an explanation', (flags, message) => {
	let printed = '';
	const command = new Command().exitOverride().configureOutput({ writeErr: (text) => void (printed += text) });
	expect(() => parseFlags(command, flags)).toThrow();
	expect(printed).toContain(message);
});

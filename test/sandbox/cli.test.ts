import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Agent, request } from 'undici';

import { requestToken } from '../support/serviceClient';

const ROOT = path.resolve(__dirname, '../..');

const started: ChildProcess[] = [];

/** Stops the sandboxes that a failed test has left. */
afterEach(async () => {
	for (const child of started.splice(0)) {
		if (child.exitCode === null && child.signalCode === null) await stop(child);
	}
});

/** Starts the sandbox like its npm script, and waits until it is ready or exits. */
async function start(...flags: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...flags], {
		cwd: ROOT,
	});
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
	return { process: child, printed: () => printed };
}

async function stop(child: ChildProcess): Promise<unknown> {
	child.kill('SIGTERM');
	const [code] = (await once(child, 'close')) as [number | null];
	return code;
}

const read = (printed: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';

/** Reads an indented line of the public app. */
const readPublic = (printed: string, name: string) => read(printed, `  ${name}`);

const getToken = async (printed: string) =>
	await requestToken({
		baseUrl: read(printed, 'Base URL'),
		clientId: read(printed, 'Client ID'),
		clientSecret: read(printed, 'Client Secret'),
	});

test('npm run sandbox prints what a credential and a node need, runs, and stops cleanly', async () => {
	const sandbox = await start('--port', '0', '--token-lifetime', '7');
	const { status, body: token } = await getToken(sandbox.printed());
	expect([status, token.expires_in]).toEqual([200, 7]);
	expect(sandbox.printed().match(/PAGE_\w+ \(\w+, \d+ blocks\)/g)).toEqual([
		'PAGE_home_65f1c0a2b3d4e (Home, 4 blocks)',
		'PAGE_shop_65f1c0c7d8e9f (Shop, 7 blocks)',
	]);
	const paths = ['Pages Path', 'Blocks Path'].map((name) => read(sandbox.printed(), name));
	expect(paths).toEqual(['/oauth/v1/sandbox/pages', '/oauth/v1/sandbox/blocks']);
	const clock = Date.parse(read(sandbox.printed(), 'Clock'));
	expect(Math.abs(clock - Date.now())).toBeLessThan(60_000);
	expect(sandbox.printed()).toMatch(/^Links +4\nGroups +1 \(Shop\), 2 \(Events\), 3 \(Press\)$/m);

	// An open browser page must not prevent the exit.
	const { body } = await request(`${read(sandbox.printed(), 'Base URL')}/changes`);
	body.on('error', () => undefined);
	expect(await stop(sandbox.process)).toBe(0);
	expect(sandbox.printed()).toContain('Stopped.');
});

test('npm run sandbox prints the public app and the owner, and accepts redirect URIs', async () => {
	const elsewhere = ['http://one.example/cb', 'https://two.example/cb?a=b'];
	const flags = elsewhere.flatMap((uri) => ['--redirect-uri', uri]);
	const sandbox = await start('--port', '0', '--code-lifetime', '7', ...flags);
	const printed = sandbox.printed();
	const names = ['Client ID', 'Client Secret', 'User name', 'Password'];
	expect(names.map((name) => readPublic(printed, name))).toEqual([
		'sandbox-public-client-id',
		'sandbox-public-client-secret',
		'sandbox',
		'sandbox-password',
	]);

	const statuses = [];
	for (const uri of [...elsewhere, 'https://three.example/cb']) {
		const query = new URLSearchParams({
			client_id: readPublic(printed, 'Client ID'),
			redirect_uri: uri,
			response_type: 'code',
			state: 's',
		});
		const url = `${read(printed, 'Base URL')}/manage/access?${query.toString()}`;
		const { statusCode, body } = await request(url);
		await body.dump();
		statuses.push(statusCode);
	}
	await stop(sandbox.process);
	expect(statuses).toEqual([200, 200, 400]);
});

test('npm run sandbox prints no warning by default, and listens on loopback without TLS', async () => {
	const sandbox = await start('--port', '0');
	await stop(sandbox.process);
	expect(read(sandbox.printed(), 'Base URL')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(sandbox.printed()).not.toMatch(/Warning|Certificate/);
});

test('npm run sandbox -- --host warns that it is for tests only, and prints addresses to use', async () => {
	const sandbox = await start('--port', '0', '--host', '0.0.0.0', '--host-name', 'my-box');
	const baseUrl = read(sandbox.printed(), 'Base URL');
	const { statusCode, body } = await request(baseUrl, { headers: { host: 'my-box' } });
	await body.dump();
	await stop(sandbox.process);
	expect(statusCode).toBe(200);
	expect(sandbox.printed()).not.toContain('0.0.0.0');
	expect(sandbox.printed()).toContain(`${baseUrl}/\n`);
	expect(sandbox.printed()).toContain('Warning: other machines can reach this sandbox.');
	expect(sandbox.printed()).toContain('It is for tests only');
	expect(sandbox.printed()).toContain('add --tls');
});

test('npm run sandbox -- --tls writes the certificate to a temporary file until it stops', async () => {
	const sandbox = await start('--port', '0', '--tls');
	const file = read(sandbox.printed(), 'Certificate');
	const dispatcher = new Agent({ connect: { ca: readFileSync(file) } });
	const { statusCode, body } = await request(read(sandbox.printed(), 'Base URL'), { dispatcher });
	await body.dump();
	await dispatcher.close();
	await stop(sandbox.process);
	expect(statusCode).toBe(200);
	expect(existsSync(path.dirname(file))).toBe(false);
	expect(sandbox.printed()).not.toContain('Warning');
});

test('npm run sandbox -- --certificate writes the certificate to that file, and implies --tls', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
	const file = path.join(folder, 'sandbox.pem');
	const sandbox = await start('--port', '0', '--host', '0.0.0.0', '--certificate', file);
	await stop(sandbox.process);
	const certificate = readFileSync(file, 'utf8');
	rmSync(folder, { recursive: true });
	expect(read(sandbox.printed(), 'Certificate')).toBe(file);
	expect(read(sandbox.printed(), 'Base URL')).toMatch(/^https:/);
	expect(certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
	expect(certificate).not.toContain('PRIVATE KEY');
	expect(sandbox.printed()).toContain('Warning: ');
	expect(sandbox.printed()).not.toContain('add --tls');
});

test('npm run sandbox starts its clock at the given time', async () => {
	const sandbox = await start('--port', '0', '--time', '2099-06-01T09:00:00+02:00');
	await stop(sandbox.process);
	expect(read(sandbox.printed(), 'Clock')).toMatch(/^2099-06-01T07:00:\d\d\+00:00$/);
});

test('npm run sandbox injects the given fault the given number of times', async () => {
	const flags = ['--fail', '503', '--fail-path', '/token', '--fail-times', '1'];
	const sandbox = await start('--port', '0', ...flags);
	const statuses = [(await getToken(sandbox.printed())).status, (await getToken(sandbox.printed())).status];
	await stop(sandbox.process);
	expect(statuses).toEqual([503, 200]);
	expect(sandbox.printed()).toContain('503, for paths that end with /token, once');
});

test.each([
	[['--host', '192.0.2.254', '--port', '0'], 'does not have the address of --host'],
	[['--port', '0', '--certificate', '/none/sandbox.pem'], 'no such file or directory'],
	[['--what'], "unknown option '--what'"],
])('npm run sandbox rejects %p with an explanation', async (flags, message) => {
	const { process: exited, printed } = await start(...flags);
	expect(printed()).toContain(message);
	expect(exited.exitCode).toBe(1);
});

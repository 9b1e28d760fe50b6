import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { request } from 'undici';

const ROOT = path.resolve(__dirname, '../..');

/** Starts the sandbox as its npm script does, and reads what it prints until it is ready or ends. */
async function start(...flags: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...flags], {
		cwd: ROOT,
	});
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

const read = (printed: string, name: string) =>
	new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';

/** Reads a line of the group of the public app, which is set in. */
const readPublic = (printed: string, name: string) => read(printed, `  ${name}`);

async function getToken(printed: string) {
	const pair = `${read(printed, 'Client ID')}:${read(printed, 'Client Secret')}`;
	const { statusCode, body } = await request(`${read(printed, 'Base URL')}/oauth/token`, {
		method: 'POST',
		headers: {
			authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
			'content-type': 'application/x-www-form-urlencoded',
		},
		body: 'grant_type=client_credentials',
	});
	return { status: statusCode, answer: (await body.json()) as Record<string, unknown> };
}

test('it prints all that a credential and a node need, works, and stops cleanly', async () => {
	const sandbox = await start('--port', '0', '--token-lifetime', '7');
	const { status, answer } = await getToken(sandbox.printed());
	expect([status, answer.expires_in]).toEqual([200, 7]);
	expect(sandbox.printed().match(/PAGE_\w+ \(\d+ blocks\)/g)).toHaveLength(2);
	expect(sandbox.printed()).toMatch(/^Links +4\nGroups +1 \(Shop\), 2 \(Events\), 3 \(Press\)$/m);

	// A browser that looks on must not keep it from stopping.
	const { body } = await request(`${read(sandbox.printed(), 'Base URL')}/changes`);
	body.on('error', () => undefined);
	expect(await stop(sandbox.process)).toBe(0);
	expect(sandbox.printed()).toContain('Stopped.');
});

test('it prints all that an OAuth2 credential and its owner need', async () => {
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

test('it fails as it is told to, then works', async () => {
	const flags = ['--fail', '503', '--fail-path', '/token', '--fail-times', '1'];
	const sandbox = await start('--port', '0', ...flags);
	const statuses = [
		(await getToken(sandbox.printed())).status,
		(await getToken(sandbox.printed())).status,
	];
	await stop(sandbox.process);
	expect(statuses).toEqual([503, 200]);
});

test.each([
	[
		['--fail', 'zap'],
		'It must be an HTTP status or one of reset, hang, trickle, lost, cut, html, malformed, empty, corrupt, truncated.',
	],
	[['--port', '99999'], 'It must be at most 65535'],
	[['--token-lifetime', '0'], 'It must be at least 1.'],
	[['--code-lifetime', '0'], 'It must be at least 1.'],
	[['--redirect-uri', 'n8n.example/cb'], 'It must be a whole http or https address'],
	[['--redirect-uri', 'https://n8n.example/cb#a'], 'It must be a whole http or https address'],
	[['--latency', 'soon'], 'It must be a whole number.'],
	[['--what'], "unknown option '--what'"],
])('it refuses %p and says why', async (flags, message) => {
	const { process: ended, printed } = await start(...flags);
	expect(printed()).toContain(message);
	expect(ended.exitCode).toBe(1);
});

test('it explains its flags', async () => {
	const { printed } = await start('--help');
	const flags = printed().match(/--[a-z-]+/g);
	expect(flags).toEqual(
		expect.arrayContaining([
			'--port',
			'--token-lifetime',
			'--code-lifetime',
			'--redirect-uri',
			'--latency',
			'--fail',
			'--fail-path',
		]),
	);
});

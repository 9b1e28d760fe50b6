import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import manifest from '../../../package.json';
import { openBrowser } from '../support/browser';
import { signIn } from '../support/editor';
import { REQUIREMENTS } from '../support/node';
import { isFree } from '../support/ports';
import { logFolder, BackgroundProcess, until } from '../support/processes';
import { folder } from '../support/programs';
import { type Owner, Rest, type Stored } from '../support/rest';
import { isN8n1, testedN8n } from '../support/versions';
import { exampleFiles, readExample } from '../support/workflows';

/** Another time zone than that of the machine, if it is not on this island. */
const ZONE = 'Pacific/Chatham';

const LOG = path.join(logFolder, 'open.log');

const output = () => readFileSync(LOG, 'utf8');

/** Finds an address in the output. Returns its port. */
function portOf(address: RegExp): number {
	return Number(address.exec(output())?.[1]);
}

/** Returns the sign-in data that it prints. */
function printedOwner(): Owner {
	const [, email = '', password = ''] = /sign in as (\S+) with (\S+)/.exec(output()) ?? [];
	return { email, password };
}

/** The script without the build. */
const SCRIPT = [path.resolve(folder, '../../node_modules/.bin/tsx'), path.join(folder, 'open.ts')];

/**
 * Runs the script. Calls back when everything is ready, then stops it.
 *
 * @param stop does so; by default, the script gets SIGTERM
 */
async function open(
	[command = '', ...args]: readonly string[],
	whenReady: (n8n: number, sandbox: number) => Promise<void>,
	stop = async (program: BackgroundProcess) => await program.stop(),
): Promise<void> {
	rmSync(LOG, { force: true });
	const program = BackgroundProcess.start({ name: 'open', command, args, env: { TZ: ZONE } });
	let [n8n, sandbox] = [0, 0];
	try {
		await program.until('ready', () => output().includes('Ctrl+C'));
		n8n = portOf(/http:\/\/localhost:(\d+)\/workflow\//);
		sandbox = portOf(/^ *Sandbox +http:\/\/[^:]+:(\d+)/m);
		await whenReady(n8n, sandbox);
	} finally {
		await stop(program);
	}
	await until('both ports are free', async () => (await isFree(n8n)) && (await isFree(sandbox)));
	expect(output()).toContain('Stopping');
}

/** Asks n8n to make somebody else its owner, as a website could, until it is stopped. Returns the answers. */
async function takeOver(port: number, signal: AbortSignal): Promise<string> {
	const answers = new Set<string>();
	const owner = { email: 'website@example.com', password: 'Password1', firstName: 'A', lastName: 'Website' };
	const headers = { 'content-type': 'application/json' };
	while (!signal.aborted) {
		const options = { method: 'POST', headers, body: JSON.stringify(owner) } as const;
		const response = await request(`http://localhost:${port}/rest/owner/setup`, options).catch(() => undefined);
		if (response) answers.add(await response.body.text());
		await wait(20);
	}
	return [...answers].join();
}

test('npm run n8n starts an n8n whose first example works at the first click, with a sandbox', async () => {
	const ready = new AbortController();
	const takenOver = takeOver(5678, ready.signal);
	await open(SCRIPT, async (n8n, sandbox) => {
		ready.abort();
		// In n8n 1, the owner cannot be set before n8n listens.
		if (!isN8n1) expect(await takenOver).toContain('already setup');
		if (!isN8n1) expect(await takenOver).not.toContain('website@example.com');
		expect([n8n, sandbox]).toEqual([5678, 4747]);
		const intro = `${REQUIREMENTS}\nThis machine can run it. This starts n8n ${testedN8n.n8n}, `;
		expect(output().startsWith(intro)).toBe(true);
		const rest = new Rest(`http://localhost:${n8n}`, printedOwner());
		await rest.signIn();
		const workflows = await rest.send<Stored[]>('GET', '/workflows');
		const names = exampleFiles.map((file) => readExample(file).name);
		expect(workflows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
		expect(await rest.send('GET', '/settings')).toMatchObject({ timezone: ZONE });
		const credentials = await rest.send<Array<{ type: string }>>('GET', '/credentials');
		const types = credentials.map(({ type }) => type);
		expect(types).toEqual(expect.arrayContaining(['profilePageApi', 'profilePageOAuth2Api']));
		await tryFirstExample(`http://localhost:${sandbox}`);
	});
});

/** Follows the address that is printed, and expects that the profile changes. */
async function tryFirstExample(sandbox: string): Promise<void> {
	const [address = ''] = /http:\/\/localhost:\d+\/workflow\/\w+/.exec(output()) ?? [];
	const browser = await openBrowser();
	try {
		const page = await browser.newPage();
		await page.goto(address);
		await signIn(page, printedOwner());
		await page.waitForURL(address);
		await page.locator('[data-test-id="execute-workflow-button"]').first().click();
		const profile = await browser.newPage();
		await profile.goto(sandbox);
		await profile.locator('.blocks li:first-child').getByText('Tour dates').waitFor();
	} finally {
		await browser.close();
	}
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
	'npm run n8n uses the next free ports, and stops n8n and the sandbox when npm gets %s',
	async (signal) => {
		const others = [5678, 4747].map((port): Server => createServer().listen(port, '127.0.0.1'));
		for (const server of others) await once(server, 'listening');
		// What npm runs, without the build.
		const command = ['npm', 'exec', '--call', manifest.scripts.n8n.replace(' --build', '')];
		const whenReady = async (n8n: number, sandbox: number) => {
			expect([n8n > 5678, sandbox > 4747]).toEqual([true, true]);
			expect(output()).toContain('Port 5678 is in use');
			await new Rest(`http://localhost:${n8n}`, printedOwner()).signIn();
		};
		// Only npm itself gets the signal, not its process group.
		const stop = async ({ pid }: BackgroundProcess) => await Promise.resolve(void process.kill(pid!, signal));
		try {
			await open(command, whenReady, stop);
		} finally {
			for (const server of others) server.close();
		}
	},
);

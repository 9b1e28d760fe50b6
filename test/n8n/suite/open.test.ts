import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import manifest from '../../../package.json';
import { LIST_PATHS } from '../../support/pages';
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

/** The passwords of earlier starts. */
const passwords: string[] = [];

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

/** Signs in to n8n with the sign-in data that is printed. */
async function signedIn(port: number): Promise<Rest> {
	const rest = new Rest(`http://localhost:${port}`, printedOwner());
	await rest.signIn();
	return rest;
}

/** The script without the build. */
const SCRIPT = [path.resolve(folder, '../../node_modules/.bin/tsx'), path.join(folder, 'open.ts')];

/** Stops a program that has started n8n. */
type Stop = (program: BackgroundProcess) => Promise<void>;

/** Runs the script. Calls back when everything is ready, then stops it. */
async function open(
	whenReady: (n8n: number, sandbox: number) => Promise<void>,
	{ command = SCRIPT, stop = async (program) => await program.stop() }: { command?: string[]; stop?: Stop } = {},
): Promise<void> {
	rmSync(LOG, { force: true });
	const [file = '', ...args] = command;
	const program = BackgroundProcess.start({ name: 'open', command: file, args, env: { TZ: ZONE } });
	const ports: number[] = [];
	try {
		await program.until('ready', () => output().includes('Ctrl+C'));
		ports.push(portOf(/http:\/\/localhost:(\d+)\/workflow\//), portOf(/^ *Sandbox +http:\/\/[^:]+:(\d+)/m));
		await whenReady(ports[0]!, ports[1]!);
	} finally {
		await stop(program);
	}
	await until('both ports are free', async () => (await Promise.all(ports.map(isFree))).every(Boolean));
	expect(output()).toContain('Stopping');
}

async function listen(port: number): Promise<Server> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

/** Asks n8n to make somebody else its owner, as a website could, until it is stopped. Returns the answers. */
async function takeOver(port: number, signal: AbortSignal): Promise<Set<string>> {
	const answers = new Set<string>();
	const owner = { email: 'website@example.com', password: 'Password1', firstName: 'A', lastName: 'Website' };
	const body = JSON.stringify(owner);
	while (!signal.aborted) {
		const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body } as const;
		const response = await request(`http://localhost:${port}/rest/owner/setup`, options).catch(() => undefined);
		if (response) answers.add(`${response.statusCode} ${await response.body.text()}`);
		await wait(20);
	}
	return answers;
}

test('npm run n8n starts a ready-to-use n8n and a sandbox until it is stopped', async () => {
	const ready = new AbortController();
	const takenOver = takeOver(5678, ready.signal);
	await open(async (n8n, sandbox) => {
		ready.abort();
		// In n8n 1, the owner cannot be set before n8n listens.
		const answers = [...(await takenOver)].join();
		if (!isN8n1) expect(answers).toContain('already setup');
		if (!isN8n1) expect(answers).not.toContain('website@example.com');
		expect([n8n, sandbox]).toEqual([5678, 4747]);
		expect(output().startsWith(`${REQUIREMENTS}\nThis machine can run it. This starts n8n ${testedN8n.n8n}, `)).toBe(
			true,
		);
		expect(output().indexOf('the data of this n8n is deleted')).toBeLessThan(output().indexOf('Install the package'));
		expect(output()).not.toContain('is in use');
		const rest = await signedIn(n8n);
		const workflows = await rest.send<Stored[]>('GET', '/workflows');
		const names = exampleFiles.map((file) => readExample(file).name);
		expect(workflows.map(({ name }) => name).sort()).toEqual(names.sort());
		expect((await request(`http://localhost:${sandbox}`)).statusCode).toBe(200);
		await expectFirstExample(sandbox);
		expect(await rest.send('GET', '/settings')).toMatchObject({ timezone: ZONE });
		await expectPaths(rest);
		passwords.push(printedOwner().password);
	});
});

/** The address that is printed leads to the example to try first, which works at the first click. */
async function expectFirstExample(sandbox: number): Promise<void> {
	const [address = ''] = /http:\/\/localhost:\d+\/workflow\/\w+/.exec(output()) ?? [];
	expect(output()).toContain('the example to try first opens: "Profile Page: move a block to the top".');
	const browser = await openBrowser();
	try {
		const page = await browser.newPage();
		await page.goto(address);
		await signIn(page, printedOwner());
		await page.waitForURL(address);
		await page.locator('[data-test-id="execute-workflow-button"]').first().click();
		const profile = await browser.newPage();
		await profile.goto(`http://localhost:${sandbox}`);
		await profile.locator('.blocks li:first-child').getByText('Tour dates').waitFor();
	} finally {
		await browser.close();
	}
}

/** The credentials lead to the lists of the sandbox. */
async function expectPaths(rest: Rest): Promise<void> {
	const stored = await rest.send<Array<Stored & { type: string }>>('GET', '/credentials');
	const apps = stored.filter(({ type }) => type.startsWith('profilePage'));
	expect(apps).toHaveLength(2);
	for (const { id } of apps) {
		const { data } = await rest.send<{ data: object }>('GET', `/credentials/${id}?includeData=true`);
		expect(data).toMatchObject(LIST_PATHS);
	}
}

test('npm run n8n uses the next free ports while another n8n and another sandbox run', async () => {
	const others = [await listen(5678), await listen(4747)];
	try {
		await open(async (n8n, sandbox) => {
			expect(n8n).toBeGreaterThan(5678);
			expect(sandbox).toBeGreaterThan(4747);
			expect(output()).toContain('Port 5678 is in use');
			await signedIn(n8n);
			expect(passwords).not.toContain(printedOwner().password);
			expect((await request(`http://localhost:${sandbox}`)).statusCode).toBe(200);
		});
	} finally {
		for (const server of others) server.close();
	}
});

test.each(['SIGTERM', 'SIGKILL'] as const)('npm run n8n stops n8n and the sandbox when npm gets %s', async (signal) => {
	// What npm runs, without the build.
	const script = manifest.scripts.n8n.replace(' --build', '');
	const command = ['npm', 'exec', '--call', script];
	// Only npm itself gets the signal, not its process group.
	const stop = (program: BackgroundProcess) => Promise.resolve(void process.kill(program.pid!, signal));
	await open(async () => Promise.resolve(), { command, stop });
});

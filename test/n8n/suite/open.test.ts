import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';

import manifest from '../../../package.json';
import { openBrowser, signIn } from '../support/editor';
import { BackgroundProcess, freePort, logFolder, logOf, until } from '../support/processes';
import { Rest, type Stored } from '../support/rest';
import { REQUIREMENTS } from '../support/versions';
import { exampleFiles, readExample } from '../support/workflows';

/** Another time zone than that of the machine, if it is not on this island. */
const ZONE = 'Pacific/Chatham';

const PORTS = [5678, 4747];

/** What npm runs, without the build. */
const COMMAND = ['npm', 'exec', '--call', manifest.scripts.n8n.replace(' --build', '')] as const;

const output = () => logOf('open');
const printed = (pattern: RegExp): string[] => pattern.exec(output())?.slice(1) ?? [];

test('npm run n8n starts an n8n and a sandbox on free ports, in which the first example works at the first click', async () => {
	rmSync(path.join(logFolder, 'open.log'), { force: true });
	// Where they are not in use already, such as by an n8n of one's own.
	const others = PORTS.map((port): Server =>
		createServer()
			.listen(port, '127.0.0.1')
			.on('error', () => undefined),
	);
	await Promise.allSettled(others.map(async (server): Promise<unknown> => await once(server, 'listening')));
	const [command, ...args] = COMMAND;
	const program = BackgroundProcess.start({ name: 'open', command, args, env: { TZ: ZONE } });
	try {
		await program.until('ready', () => output().includes('Ctrl+C'));
		await tryOut();
	} finally {
		// Only npm itself gets the signal, not its process group.
		process.kill(program.pid!, 'SIGTERM');
		for (const server of others) server.close();
	}
	const ports = [...output().matchAll(/http:\/\/[^:]+:(\d+)/g)].map(([, port]) => Number(port));
	await until('the ports are free', async () => (await Promise.all(ports.map(freePort))).join() === ports.join());
	expect(output()).toContain('Stopping');
});

/** Follows what is printed, and expects that the profile changes. */
async function tryOut(): Promise<void> {
	expect(output()).toContain(REQUIREMENTS);
	expect(output()).toContain('Port 5678 is in use');
	const [workflow = '', n8n = ''] = printed(/((http:\/\/localhost:\d+)\/workflow\/\w+)/);
	const [sandbox = ''] = printed(/Sandbox +(http:\S+)/);
	const [email = '', password = ''] = printed(/sign in as (\S+) with (\S+)/);
	await expectContent(new Rest(n8n, { email, password }));

	const browser = await openBrowser();
	try {
		const [profile, editor] = [await browser.newPage(), await browser.newPage()];
		const problems: string[] = [];
		profile.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
		await profile.goto(sandbox);
		await editor.goto(workflow);
		await signIn(editor, { email, password });
		await editor.waitForURL(workflow);
		await editor.locator('[data-test-id="execute-workflow-button"]').first().click();
		await profile.locator('.blocks li:first-child').getByText('Tour dates').waitFor();
		expect(problems).toEqual([]);
	} finally {
		await browser.close();
	}
}

/** Expects the owner, the time zone, the examples, and a credential for each kind of app. */
async function expectContent(rest: Rest): Promise<void> {
	await rest.signIn();
	expect(await rest.send('GET', '/settings')).toMatchObject({ timezone: ZONE });
	const workflows = await rest.send<Stored[]>('GET', '/workflows');
	const names = exampleFiles.map((file) => readExample(file).name);
	expect(workflows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
	const credentials = await rest.send<Array<{ type: string }>>('GET', '/credentials');
	const types = ['profilePageApi', 'profilePageOAuth2Api'];
	expect(credentials.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
}

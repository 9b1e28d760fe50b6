import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';

import { request } from 'undici';

import { REQUIREMENTS } from '../support/node';
import { isFree } from '../support/ports';
import { logFolder, BackgroundProcess, until } from '../support/processes';
import { folder } from '../support/programs';
import { owner, Rest, type Stored } from '../support/rest';
import { exampleFiles, readExample } from '../support/workflows';

const LOG = path.join(logFolder, 'open.log');

const output = () => readFileSync(LOG, 'utf8');

/** Finds an address in the output. Returns its port. */
function portOf(address: RegExp): number {
	return Number(address.exec(output())?.[1]);
}

/** Runs the script without the build. Calls back when everything is ready, then stops it. */
async function open(whenReady: (n8n: number, sandbox: number) => Promise<void>): Promise<void> {
	rmSync(LOG, { force: true });
	const command = path.resolve(folder, '../../node_modules/.bin/tsx');
	const program = BackgroundProcess.start({ name: 'open', command, args: [path.join(folder, 'open.ts')] });
	const ports: number[] = [];
	try {
		await program.until('ready', () => output().includes('Ctrl+C'));
		ports.push(portOf(/http:\/\/localhost:(\d+)\/home\/workflows/), portOf(/^Sandbox +http:\/\/[^:]+:(\d+)/m));
		await whenReady(ports[0]!, ports[1]!);
	} finally {
		await program.stop();
	}
	await until('both ports are free', async () => (await Promise.all(ports.map(isFree))).every(Boolean));
	expect(output()).toContain('Stopping');
}

async function listen(port: number): Promise<Server> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

test('npm run n8n starts a ready-to-use n8n and a sandbox until it is stopped', async () => {
	await open(async (n8n, sandbox) => {
		expect([n8n, sandbox]).toEqual([5678, 4747]);
		expect(output().startsWith(`${REQUIREMENTS}\n`)).toBe(true);
		expect(output()).toContain(`sign in as ${owner.email} with ${owner.password}`);
		expect(output()).not.toContain('is in use');
		const rest = new Rest(`http://localhost:${n8n}`);
		await rest.signIn();
		const workflows = await rest.send<Stored[]>('GET', '/workflows');
		const names = exampleFiles.map((file) => readExample(file).name);
		expect(workflows.map(({ name }) => name).sort()).toEqual(names.sort());
		expect((await request(`http://localhost:${sandbox}`)).statusCode).toBe(200);
	});
});

test('npm run n8n uses the next free ports while another n8n and another sandbox run', async () => {
	const others = [await listen(5678), await listen(4747)];
	try {
		await open(async (n8n, sandbox) => {
			expect(n8n).toBeGreaterThan(5678);
			expect(sandbox).toBeGreaterThan(4747);
			expect(output()).toContain('Port 5678 is in use');
			await new Rest(`http://localhost:${n8n}`).signIn();
			expect((await request(`http://localhost:${sandbox}`)).statusCode).toBe(200);
		});
	} finally {
		for (const server of others) server.close();
	}
});

import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { request } from 'undici';

import { REQUIREMENTS } from '../support/node';
import { isFree } from '../support/ports';
import { logFolder, BackgroundProcess, until } from '../support/processes';
import { folder } from '../support/programs';
import { owner, Rest, type Stored } from '../support/rest';
import { exampleFiles, readExample } from '../support/workflows';

const N8N = 5678;
const SANDBOX = 4747;
const LOG = path.join(logFolder, 'open.log');

const output = () => readFileSync(LOG, 'utf8');

test('npm run n8n starts a ready-to-use n8n and a sandbox until it is stopped', async () => {
	rmSync(LOG, { force: true });
	// The script without the build.
	const command = path.resolve(folder, '../../node_modules/.bin/tsx');
	const program = BackgroundProcess.start({
		name: 'open',
		command,
		args: [path.join(folder, 'open.ts')],
	});
	try {
		await program.until('ready', () => output().includes('Ctrl+C'));
		expect(output().startsWith(`${REQUIREMENTS}\n`)).toBe(true);
		expect(output()).toContain(`sign in as ${owner.email} with ${owner.password}`);
		expect(output()).toContain(`http://localhost:${N8N}/home/workflows`);
		const rest = new Rest(`http://localhost:${N8N}`);
		await rest.signIn();
		const workflows = await rest.send<Stored[]>('GET', '/workflows');
		const names = exampleFiles.map((file) => readExample(file).name);
		expect(workflows.map(({ name }) => name).sort()).toEqual(names.sort());
		expect((await request(`http://localhost:${SANDBOX}`)).statusCode).toBe(200);
	} finally {
		await program.stop();
	}
	await until('both ports are free', async () => (await isFree(N8N)) && (await isFree(SANDBOX)));
	expect(output()).toContain('Stopping');
});

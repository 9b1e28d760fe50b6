/**
 * Opens a real n8n to try the package: with the sandbox, a credential for each kind of app and the
 * example workflows. Runs until Ctrl+C. Says first what it needs, and installs nothing where n8n cannot run.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

import { Listr } from 'listr2';

import { useCredential } from '../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { LIST_PATHS } from '../support/pages';
import { n8nTasks } from './support/installation';
import { N8n } from './support/n8n';
import { packPackage } from './support/packageUnderTest';
import { freePort } from './support/processes';
import { newSecret, type Owner } from './support/rest';
import { findNode, REQUIREMENTS, testedN8n } from './support/versions';
import { exampleFiles, readExample, useClientToken } from './support/workflows';

/** If these ports are in use, such as by the reader's own n8n, the next free ones are used. */
const N8N_PORT = 5678;
const SANDBOX_PORT = 4747;

/** The bearer token for the example for AI agents. */
const clientToken = newSecret();

/** The example to try first. */
const FIRST_EXAMPLE = 'move-a-block-to-the-top.json';

/** Without it, n8n would use that of New York for schedules and dates. */
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Browsers send the cookies of a host to all its ports. */
const OTHER_PORT = [
	`Port ${N8N_PORT} is in use, perhaps by another n8n. Open this n8n in a private window: in the same window,`,
	'signing in here would sign you out there.',
];

/** What happens next, before anything is installed. */
const INTRODUCTION = `
This starts n8n ${testedN8n.n8n} with a sandbox of the service. An n8n of your own is left alone. When you stop it, the
data of this n8n is deleted; what was downloaded stays for the next start.
`;

/** What runs until Ctrl+C, as far as it has been started. */
interface Running {
	sandbox?: Sandbox;
	n8n?: N8n;
}

async function main(): Promise<void> {
	// What reads the output may end before this program.
	process.stdout.on('error', () => undefined);
	console.log(REQUIREMENTS);
	findNode(testedN8n.folder);
	console.log(INTRODUCTION);
	const stopped = stopSignal();
	const running: Running = {};
	try {
		await Promise.race([start(running), stopped]);
		await stopped;
		console.log('Stopping …');
	} finally {
		await running.n8n?.remove();
		await running.sandbox?.close();
	}
}

/**
 * Waits for a signal to stop, or for the end of npm's shell: npm sends signals to that only. It keeps listening: without
 * a listener, the task list would end the process at once.
 */
async function stopSignal(): Promise<void> {
	const { ppid } = process;
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
		setInterval(() => {
			if (process.ppid !== ppid) resolve();
		}, 500);
	});
}

async function start(running: Running): Promise<void> {
	const build = {
		title: 'Build the package',
		enabled: process.argv.includes('--build'),
		task: async () => {
			await promisify(execFile)('npm', ['run', 'build']);
		},
	};
	// Ctrl+C stops n8n and the sandbox, and deletes their data.
	const options = { registerSignalListeners: false, fallbackRenderer: 'verbose' } as const;
	await new Listr<unknown, 'default', 'verbose'>([build, ...n8nTasks(testedN8n)], options).run();
	console.log('Starting n8n and the sandbox …');
	packPackage();
	const env = { GENERIC_TIMEZONE: timeZone };
	const n8n = (running.n8n = await N8n.create({ name: 'n8n', port: await freePort(N8N_PORT), env }));
	const sandbox = (running.sandbox = await startSandbox({ port: await freePort(SANDBOX_PORT) }));
	await n8n.start(ownerSettings(n8n.rest.owner));
	console.log(describe(n8n, sandbox, await addContent(n8n, sandbox)));
}

/** Makes n8n create the owner before it listens: a website that the reader visits could otherwise do so first. */
function ownerSettings({ email, password }: Owner): NodeJS.ProcessEnv {
	const requireByN8n = createRequire(path.join(testedN8n.folder, 'node_modules/n8n/package.json'));
	const { hashSync } = requireByN8n('bcryptjs') as { hashSync: (text: string, rounds: number) => string };
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: email,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'The',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_INSTANCE_OWNER_PASSWORD_HASH: hashSync(password, 10),
	};
}

/** Adds the credentials and the examples. Returns the ID of the first example, which is on top of n8n's list. */
async function addContent({ rest }: N8n, sandbox: Sandbox): Promise<string> {
	await rest.signIn();
	await rest.addPublicApp(sandbox, LIST_PATHS);
	const credential = await rest.addPrivateApp(sandbox, LIST_PATHS);
	const token = await rest.addClientToken(clientToken);
	const add = async (file: string) => {
		const example = useCredential(readExample(file), 'profilePageApi', credential);
		return await rest.createWorkflow(useClientToken(example, token));
	};
	for (const file of exampleFiles) if (file !== FIRST_EXAMPLE) await add(file);
	return (await add(FIRST_EXAMPLE)).id;
}

/** Says what to do. */
function describe(n8n: N8n, sandbox: Sandbox, workflowId: string): string {
	const { email, password } = n8n.rest.owner;
	return [
		'',
		'Open both beside each other:',
		`  Sandbox  ${sandbox.baseUrl}    the profile as its visitors see it`,
		`  n8n      ${n8n.baseUrl}/workflow/${workflowId}    sign in as ${email} with ${password}`,
		...(n8n.port === N8N_PORT ? [] : ['', ...OTHER_PORT]),
		'',
		`In n8n, the example to try first opens: "${readExample(FIRST_EXAMPLE).name}".`,
		'Click Execute workflow, and watch the profile change. The other examples are under Workflows.',
		`n8n uses the time zone ${timeZone}.`,
		'',
		'To use the example for AI agents, publish it, and connect an AI application with this bearer token:',
		`  ${clientToken}`,
		'',
		'To try a public app, open the credential "Sandbox (public app)", and connect it.',
		'',
		'For a credential of your own, the page of the sandbox has all values.',
		'',
		'Press Ctrl+C to stop both. This n8n and its data are then deleted.',
	].join('\n');
}

main()
	.catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	})
	// Tasks that are still running must not start anything after a stop.
	.finally(() => process.exit());

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { PageSeed } from '../../../sandbox/account';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { type Database, startPostgres, startRedis } from '../support/databases';
import { N8n } from '../support/n8n';
import { logFolder, type BackgroundProcess, until } from '../support/processes';
import { isFinished, type StoredExecution } from '../support/rest';
import { Watch } from '../support/watch';
import { callWebhook, webhook } from '../support/webhook';
import { chain, profilePage } from '../support/workflows';

/** The number of executions in each test: one per page. */
const COUNT = 200;

const PAGES: readonly PageSeed[] = Array.from({ length: COUNT }, (_, page) => ({
	id: `PAGE_${page}_65f1c0a2b3d4e`,
	blocks: [1, 2, 3, 4, 5].map((block) => ({ id: `${page}.${block}`, type: 'BLOCK_TITLE' })),
}));

/** The number of concurrent executions of a worker: n8n's default. */
const CONCURRENCY = 10;

const HOOK = 'reorder';

const QUEUE_MODE = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// No Code nodes, so no task runner is needed.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'unused',
	// Do not wait for executions that a failed test has left.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3',
};

/** An n8n worker with its own user folder, in which the package is installed. */
class Worker {
	readonly #name: string;
	readonly #n8n: N8n;
	#process?: BackgroundProcess;

	private constructor(name: string, n8n: N8n) {
		this.#name = name;
		this.#n8n = n8n;
	}

	static async create(name: string, env: NodeJS.ProcessEnv): Promise<Worker> {
		return new Worker(name, await N8n.create({ name, env }));
	}

	/** Starts the process and waits until it accepts executions. */
	async start(): Promise<void> {
		this.#process = this.#n8n.startProcess(this.#name, ['worker', `--concurrency=${CONCURRENCY}`]);
		await this.#process.until('ready', () => Promise.resolve(this.#log.includes('n8n worker is now ready')));
	}

	/** The IDs of the executions whose result is stored. */
	get finished(): string[] {
		return [...this.#log.matchAll(/Worker finished execution (\d+)/g)].map(([, id = '']) => id);
	}

	async remove(): Promise<void> {
		await this.#process?.stop();
		await this.#n8n.remove();
	}

	get #log(): string {
		return readFileSync(path.join(logFolder, `${this.#name}.log`), 'utf8');
	}
}

let sandbox: Sandbox;
let postgres: Database;
let redis: Database;
let main: N8n;
let workers: [Worker, Worker];
/** The ID of the workflow that reorders the page of a webhook request. */
let reordering: string;

beforeAll(async () => {
	sandbox = await startSandbox({ pages: PAGES });
	[postgres, redis] = await Promise.all([startPostgres('queue-postgres'), startRedis('queue-redis')]);
	const env = { ...QUEUE_MODE, ...postgres.env, ...redis.env };
	main = await N8n.create({ name: 'queue-main', env });
	workers = [await Worker.create('queue-worker-1', env), await Worker.create('queue-worker-2', env)];
	// In parallel: the first process creates the tables, and the others wait for it.
	await Promise.all([main.start().then(activateReordering), ...workers.map(async (worker) => await worker.start())]);
});

afterAll(async () => {
	await sandbox.close();
	try {
		await Promise.all([main, ...workers].map(async (n8n) => await n8n.remove()));
	} finally {
		// Even if n8n did not start: running processes would keep Jest from exiting.
		await Promise.all([postgres.remove(), redis.remove()]);
	}
});

async function activateReordering(): Promise<void> {
	await main.rest.setUpOwner();
	const credential = await main.rest.addPrivateApp(sandbox);
	const reorder = profilePage(credential, {
		resource: 'blocks',
		operation: 'reorder',
		pageId: '={{ $json.body.pageId }}',
		blockOrder: 'value',
		blockIdsValue: '={{ $json.body.order }}',
	});
	const workflow = await main.rest.createWorkflow(chain('Reorder', webhook(HOOK, 'onReceived'), reorder));
	await main.rest.activate(workflow);
	reordering = workflow.id;
}

/** The order that each page gets. */
const REVERSED = new Map(PAGES.map(({ id, blocks }) => [id, blocks.map((block) => block.id).toReversed()]));

test('two workers process 200 executions without losing one, with at most one token request each', async () => {
	// All at once.
	await Promise.all([...REVERSED].map(async ([pageId, order]) => await callWebhook(main, HOOK, { pageId, order })));
	let executions: StoredExecution[] = [];
	await until('the executions have finished', async () => {
		// Each poll costs n8n as much as a few executions.
		await wait(500);
		executions = await main.rest.allExecutions(reordering);
		return executions.length >= COUNT && executions.every(isFinished);
	});

	expect(executions).toHaveLength(COUNT);
	expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
	expect(new Map(PAGES.map(({ id }) => [id, sandbox.account.order(id)]))).toEqual(REVERSED);
	expect(sandbox.recorder.calls).toHaveLength(COUNT);

	const [first, second] = workers.map(({ finished }) => finished) as [string[], string[]];
	expect(first).not.toHaveLength(0);
	expect(second).not.toHaveLength(0);
	const ids = executions.map(({ id }) => id);
	expect([...first, ...second].toSorted()).toEqual(ids.toSorted());

	// The executions of a process share a token request. A second process sends its own if it starts
	// before n8n has stored the token of the first.
	expect([1, workers.length]).toContain(sandbox.recorder.grants);
});

test('a link that one worker has scheduled is not created again by the other', async () => {
	const path = 'schedule';
	const create = profilePage(await main.rest.addPrivateApp(sandbox), {
		resource: 'links',
		operation: 'create',
		title: 'Scheduled',
		url: "={{ 'https://example.com/' + $json.body.name }}",
		ifExists: 'skip',
		additionalFields: { scheduleFrom: new Date(Date.now() + 24 * 3_600_000).toISOString() },
	});
	const workflow = await main.rest.createWorkflow(chain('Schedule', webhook(path), create));
	await main.rest.activate(workflow);
	const before = workers.map(({ finished }) => finished.length);
	for (let run = 0; run < 12; run += 1) await callWebhook(main, path, { name: 'sequence' });
	expect(sandbox.account.links.all.filter(({ title }) => title === 'Scheduled')).toHaveLength(1);
	for (const [index, { finished }] of workers.entries()) expect(finished.length).toBeGreaterThan(before[index]!);
	await main.rest.deactivate(workflow.id);
});

test('a trigger continues where it was when the main process is restarted or killed', async () => {
	const publish = (title: string) => {
		sandbox.account.links.add({ title, link: `https://example.com/${title}` });
		return title;
	};
	const credential = await main.rest.addPrivateApp(sandbox);
	const watch = await Watch.create(main, 'Watch', credential);
	await watch.activate();
	for (const end of ['stop', 'kill'] as const) {
		await watch.emits(publish(`before ${end}`));
		await main[end]();
		publish(`during ${end}`);
		await main.start();
		await main.rest.signIn();
		await watch.emits(publish(`after ${end}`));
	}
	await watch.deactivate();
	const titles = ['stop', 'kill'].flatMap((end) => [`before ${end}`, `during ${end}`, `after ${end}`]);
	expect((await watch.emitted()).flat()).toEqual(titles);
	expect(await watch.errors()).toEqual([]);
}, 300_000);

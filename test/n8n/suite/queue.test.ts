import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { request } from 'undici';

import type { PageSeed } from '../../../sandbox/account';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { N8n } from '../support/n8n';
import { Postgres } from '../support/postgres';
import { logFolder, type BackgroundProcess, until } from '../support/processes';
import { Redis } from '../support/redis';
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
	// A killed worker is detected after seconds instead of a minute and a half.
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '1000',
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
		return this.#idsAfter('Worker finished execution');
	}

	get inFlight(): string[] {
		const finished = new Set(this.finished);
		return this.#idsAfter('Worker started execution').filter((id) => !finished.has(id));
	}

	async kill(): Promise<void> {
		await this.#process?.kill();
	}

	async remove(): Promise<void> {
		await this.#process?.stop();
		await this.#n8n.remove();
	}

	#idsAfter(words: string): string[] {
		return [...this.#log.matchAll(new RegExp(`${words} (\\d+)`, 'g'))].map(([, id = '']) => id);
	}

	/** Written synchronously, so it is complete even after a kill. */
	get #log(): string {
		return readFileSync(path.join(logFolder, `${this.#name}.log`), 'utf8');
	}
}

let sandbox: Sandbox;
let postgres: Postgres;
let redis: Redis;
let main: N8n;
let workers: [Worker, Worker];
/** The ID of the workflow that reorders the page of a webhook request. */
let reordering: string;

beforeAll(async () => {
	sandbox = await startSandbox({ pages: PAGES });
	postgres = await Postgres.create('queue-postgres');
	redis = Redis.create('queue-redis');
	await Promise.all([postgres.start(), redis.start()]);
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

/** Block IDs by page ID. */
type Orders = Map<string, string[]>;

const SEEDED: Orders = new Map(PAGES.map(({ id, blocks }) => [id, blocks.map((block) => block.id)]));
const REVERSED: Orders = new Map([...SEEDED].map(([id, order]) => [id, order.toReversed()]));

const currentOrders = (): Orders => new Map(PAGES.map(({ id }) => [id, sandbox.account.order(id)]));

/** Requests one execution per page, all at once. */
async function requestReorders(orders: Orders): Promise<void> {
	const requests = [...orders].map(async ([pageId, order]) => {
		const { statusCode, body } = await request(`${main.baseUrl}/webhook/${HOOK}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ pageId, order }),
		});
		await body.dump();
		return statusCode;
	});
	const failed = (await Promise.all(requests)).filter((statusCode) => statusCode !== 200);
	expect(failed).toEqual([]);
}

/** Returns all executions after the one with this ID, newest first. */
const executionsAfter = async (id: string) => await main.rest.allExecutions(reordering, id);

/** Waits until this many executions after the one with this ID have finished. */
async function finishedAfter(id: string, count: number): Promise<StoredExecution[]> {
	let found: StoredExecution[] = [];
	const haveFinished = async () => {
		// Each poll costs n8n as much as a few executions.
		await wait(500);
		found = await executionsAfter(id);
		return found.length >= count && found.every(isFinished);
	};
	await until(`${count} executions have finished`, haveFinished);
	return found;
}

/** Returns the IDs of the executions with this status. */
const withStatus = (wanted: string, executions: readonly StoredExecution[]): string[] =>
	executions.filter(({ status }) => status === wanted).map(({ id }) => id);

test('two workers process 200 executions without losing one, with at most one token request each', async () => {
	await requestReorders(REVERSED);
	const executions = await finishedAfter('0', COUNT);

	expect(withStatus('success', executions)).toHaveLength(COUNT);
	expect(executions).toHaveLength(COUNT);
	expect(currentOrders()).toEqual(REVERSED);
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

/** Kills a worker that has finished some executions while it processes more. */
async function killMidway(worker: Worker): Promise<void> {
	const enough = worker.finished.length + COUNT / 10;
	await until('the worker is busy', () =>
		Promise.resolve(worker.finished.length >= enough && worker.inFlight.length >= CONCURRENCY / 2),
	);
	await worker.kill();
}

/** Returns the pages that do not have their initial order. */
function notAsSeeded(orders: Orders): Orders {
	return new Map([...orders].filter(([id, order]) => !isDeepStrictEqual(order, SEEDED.get(id))));
}

test('only the executions in progress fail when a worker is killed, and no page is half reordered', async () => {
	const [survivor, victim] = workers;
	const [newest] = await executionsAfter('0');
	sandbox.recorder.requests.length = 0;
	// Ensures that requests are always in flight.
	sandbox.faults.latency = 300;

	await Promise.all([requestReorders(SEEDED), killMidway(victim)]);
	const executions = await finishedAfter(newest!.id, COUNT);

	// n8n 2.40.7 sets Bull's maxStalledCount to 0: the executions of a killed worker are not restarted,
	// but end with an error.
	const failed = withStatus('error', executions);
	expect(failed).not.toHaveLength(0);
	expect(failed.length).toBeLessThanOrEqual(CONCURRENCY);
	expect(withStatus('success', executions)).toHaveLength(COUNT - failed.length);
	expect(executions).toHaveLength(COUNT);
	const finished = new Set([...survivor.finished, ...victim.finished]);
	expect(failed.filter((id) => finished.has(id))).toEqual([]);
	expect(survivor.inFlight).toEqual([]);

	// Some of the failed executions may have sent their request already.
	const left = notAsSeeded(currentOrders());
	expect(left.size).toBeLessThanOrEqual(failed.length);
	for (const [id, order] of left) expect(order).toEqual(REVERSED.get(id));
	// Both workers use the token that is stored since the first test.
	expect(sandbox.recorder.grants).toBe(0);
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

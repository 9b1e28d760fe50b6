import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { request } from 'undici';

import type { PageSeed } from '../../../sandbox/account';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { N8n } from '../support/n8n';
import { Postgres } from '../support/postgres';
import { logFolder, type Program, until } from '../support/processes';
import { Redis } from '../support/redis';
import type { StoredExecution } from '../support/rest';
import { chain, type Node, profilePage } from '../support/workflows';

/** How many executions each test asks for: one for each page. */
const COUNT = 200;

const PAGES: readonly PageSeed[] = Array.from({ length: COUNT }, (_, page) => ({
	id: `PAGE_${page}_65f1c0a2b3d4e`,
	blocks: [1, 2, 3, 4, 5].map((block) => ({ id: `${page}.${block}`, type: 'BLOCK_TITLE' })),
}));

/** How many executions a worker runs at once: as many as by n8n's own default. */
const CONCURRENCY = 10;

const HOOK = 'reorder';

const QUEUE_MODE = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// That a worker is no more shows after seconds, not after a minute and a half.
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '1000',
	// Nothing here needs the processes that run Code nodes.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'of a runner that never comes',
	// What a failed test leaves unfinished is not waited for.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3',
};

/** A worker of n8n, with a folder of its own in which the package is installed as well. */
class Worker {
	#process?: Program;

	private constructor(
		private readonly name: string,
		private readonly n8n: N8n,
	) {}

	static async create(name: string, env: NodeJS.ProcessEnv): Promise<Worker> {
		return new Worker(name, await N8n.create({ name, env }));
	}

	/** Starts it, and waits until it takes executions from the queue. */
	async start(): Promise<void> {
		this.#process = this.n8n.startProcess(this.name, ['worker', `--concurrency=${CONCURRENCY}`]);
		await this.#process.until('ready', () =>
			Promise.resolve(this.#log.includes('n8n worker is now ready')),
		);
	}

	/** The executions that it brought to an end, with the result stored. */
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
		await this.n8n.remove();
	}

	#idsAfter(words: string): string[] {
		return [...this.#log.matchAll(new RegExp(`${words} (\\d+)`, 'g'))].map(([, id = '']) => id);
	}

	/** It is written at once: all that a worker said before it was killed is there. */
	get #log(): string {
		return readFileSync(path.join(logFolder, `${this.name}.log`), 'utf8');
	}
}

let sandbox: Sandbox;
let postgres: Postgres;
let redis: Redis;
let main: N8n;
let workers: [Worker, Worker];

beforeAll(async () => {
	sandbox = await startSandbox({ pages: PAGES });
	postgres = await Postgres.create('queue-postgres');
	redis = Redis.create('queue-redis');
	await Promise.all([postgres.start(), redis.start()]);
	const env = { ...QUEUE_MODE, ...postgres.env, ...redis.env };
	main = await N8n.create({ name: 'queue-main', env });
	workers = [
		await Worker.create('queue-worker-1', env),
		await Worker.create('queue-worker-2', env),
	];
	// All at once: whichever comes first makes the tables, and the others wait for them.
	await Promise.all([
		main.start().then(activateReordering),
		...workers.map(async (worker) => await worker.start()),
	]);
});

afterAll(async () => {
	await sandbox.close();
	try {
		await Promise.all([main, ...workers].map(async (n8n) => await n8n.remove()));
	} finally {
		// Also when there was no n8n yet: what is left running would keep Jest from ending.
		await Promise.all([postgres.remove(), redis.remove()]);
	}
});

/** Turns on a workflow that reorders the page that a request to its webhook names. */
async function activateReordering(): Promise<void> {
	await main.rest.setUpOwner();
	const credential = await main.rest.addPrivateApp(sandbox);
	const webhook: Node = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: HOOK,
		parameters: { path: HOOK, httpMethod: 'POST', responseMode: 'onReceived' },
	};
	const reorder = profilePage(credential, {
		resource: 'blocks',
		operation: 'reorder',
		pageId: '={{ $json.body.pageId }}',
		blockOrder: 'value',
		blockIdsValue: '={{ $json.body.order }}',
	});
	const workflow = await main.rest.createWorkflow(chain('Reorder', webhook, reorder));
	await main.rest.activate(workflow);
}

/** The orders of pages, by their IDs. */
type Orders = Map<string, string[]>;

const SEEDED: Orders = new Map(
	PAGES.map(({ id, blocks }) => [id, blocks.map((block) => block.id)]),
);
const TURNED_ROUND: Orders = new Map([...SEEDED].map(([id, order]) => [id, order.toReversed()]));

const currentOrders = (): Orders => new Map(PAGES.map(({ id }) => [id, sandbox.account.order(id)]));

/** Asks for an execution for each page, all at once. */
async function requestReorders(orders: Orders): Promise<void> {
	const asked = [...orders].map(async ([pageId, order]) => {
		const { statusCode, body } = await request(`${main.baseUrl}/webhook/${HOOK}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ pageId, order }),
		});
		await body.dump();
		return statusCode;
	});
	const refused = (await Promise.all(asked)).filter((statusCode) => statusCode !== 200);
	expect(refused).toEqual([]);
}

/** All executions after the one with this ID, the newest first. */
async function executionsAfter(id: string): Promise<StoredExecution[]> {
	const found: StoredExecution[] = [];
	for (;;) {
		// n8n tells no more than 100 at once, and goes by their IDs only if both ends are given.
		const range = `firstId=${id}&lastId=${found.at(-1)?.id ?? 2 ** 31 - 1}`;
		const path = `/executions?limit=100&${range}`;
		const { results } = await main.rest.send<{ results: StoredExecution[] }>('GET', path);
		found.push(...results);
		if (results.length < 100) return found;
	}
}

/** Waits until so many executions after the one with this ID have come to an end. */
async function endedAfter(id: string, count: number): Promise<StoredExecution[]> {
	const underWay = ['new', 'running', 'waiting'];
	let found: StoredExecution[] = [];
	const haveEnded = async () => {
		// The question costs n8n as much as a few executions, so it is not asked too often.
		await wait(500);
		found = await executionsAfter(id);
		return found.length >= count && found.every(({ status }) => !underWay.includes(status));
	};
	await until(`${count} executions have ended`, haveEnded, 90);
	return found;
}

/** The executions that ended in this way. */
const withStatus = (wanted: string, executions: readonly StoredExecution[]): string[] =>
	executions.filter(({ status }) => status === wanted).map(({ id }) => id);

test('200 executions over two workers: none is lost, every page ends in its order', async () => {
	await requestReorders(TURNED_ROUND);
	const executions = await endedAfter('0', COUNT);

	expect(withStatus('success', executions)).toHaveLength(COUNT);
	expect(executions).toHaveLength(COUNT);
	expect(currentOrders()).toEqual(TURNED_ROUND);
	expect(sandbox.recorder.calls).toHaveLength(COUNT);

	const [first, second] = workers.map(({ finished }) => finished) as [string[], string[]];
	expect(first).not.toHaveLength(0);
	expect(second).not.toHaveLength(0);
	const ids = executions.map(({ id }) => id);
	expect([...first, ...second].toSorted()).toEqual(ids.toSorted());
});

test('to begin with, no worker asks for more than one token', () => {
	// The executions of a process share a grant. Two processes know nothing of each other: the second
	// asks as well if it begins before n8n has stored the token of the first.
	expect([1, workers.length]).toContain(sandbox.recorder.grants);
});

/** Kills a worker as soon as it has done some of its share and is at more. */
async function killMidway(worker: Worker): Promise<void> {
	const enough = worker.finished.length + COUNT / 10;
	await until('the worker is in the midst of it', () =>
		Promise.resolve(worker.finished.length >= enough && worker.inFlight.length >= CONCURRENCY / 2),
	);
	await worker.kill();
}

/** The pages that are not in the order that they were seeded with. */
function notAsSeeded(orders: Orders): Orders {
	return new Map([...orders].filter(([id, order]) => !isDeepStrictEqual(order, SEEDED.get(id))));
}

test('a worker is killed midway: only what it was at fails, and no page is left half done', async () => {
	const [survivor, victim] = workers;
	const [newest] = await executionsAfter('0');
	sandbox.recorder.requests.length = 0;
	// So that there is always something in flight.
	sandbox.faults.latency = 300;

	await Promise.all([requestReorders(SEEDED), killMidway(victim)]);
	const executions = await endedAfter(newest!.id, COUNT);

	// n8n 2.40.7 has fixed Bull's maxStalledCount at 0: what a killed worker was at is not taken up
	// again, it ends as an error.
	const failed = withStatus('error', executions);
	expect(failed).not.toHaveLength(0);
	expect(failed.length).toBeLessThanOrEqual(CONCURRENCY);
	expect(withStatus('success', executions)).toHaveLength(COUNT - failed.length);
	expect(executions).toHaveLength(COUNT);
	const finished = new Set([...survivor.finished, ...victim.finished]);
	expect(failed.filter((id) => finished.has(id))).toEqual([]);
	expect(survivor.inFlight).toEqual([]);

	// Fewer than that may be left: the service has had some of their requests all the same.
	const left = notAsSeeded(currentOrders());
	expect(left.size).toBeLessThanOrEqual(failed.length);
	for (const [id, order] of left) expect(order).toEqual(TURNED_ROUND.get(id));
	// The token that the first test brought serves both.
	expect(sandbox.recorder.grants).toBe(0);
});

test('what the killed worker left undone is done by asking once more', async () => {
	const [newest] = await executionsAfter('0');
	const left = [...notAsSeeded(currentOrders()).keys()];
	// Not n8n's own "Retry": it has lost what the killed worker was given.
	await requestReorders(new Map(left.map((id) => [id, SEEDED.get(id)!])));
	const executions = await endedAfter(newest!.id, left.length);
	expect(withStatus('success', executions)).toHaveLength(left.length);
	expect(currentOrders()).toEqual(SEEDED);
});

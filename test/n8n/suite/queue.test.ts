/** Queue mode: a main process and two workers, with PostgreSQL and Redis. */
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { pageSeed } from '../../support/pages';
import { GET_INFO, REORDER_EACH_ITEM } from '../../support/parameters';
import { type Database, startPostgres, startRedis } from '../support/databases';
import { N8n } from '../support/n8n';
import { logOf, until } from '../support/processes';
import { isFinished, newSecret, type StoredExecution } from '../support/rest';
import { publish } from '../support/webhook';
import { type Node, profilePage, publicProfilePage } from '../support/workflows';

const PAGES = Array.from({ length: 40 }, (_, page) => pageSeed(`PAGE_${page}`, [`${page}.1`, `${page}.2`]));

const QUEUE_MODE = {
	EXECUTIONS_MODE: 'queue',
	// No Code nodes, so no task runner is needed.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'unused',
	// Do not wait for executions that a failed test has left.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3',
};

const WORKERS = ['queue-worker-1', 'queue-worker-2'];

let sandbox: Sandbox;
let databases: Database[];
let main: N8n;
let workers: N8n[];

beforeAll(async () => {
	sandbox = await startSandbox({ pages: PAGES });
	databases = [await startPostgres(), await startRedis()];
	const env: NodeJS.ProcessEnv = { ...QUEUE_MODE, N8N_ENCRYPTION_KEY: newSecret() };
	for (const database of databases) Object.assign(env, database.env);
	main = await N8n.create({ name: 'queue-main', env });
	workers = await Promise.all(WORKERS.map(async (name) => await N8n.create({ name, env })));
	await main.start();
	await main.rest.setUpOwner();
	const ready = WORKERS.map(async (name, index) => {
		await workers[index]!.startProcess('worker').until('ready', () => logOf(name).includes('n8n worker is now ready'));
	});
	await Promise.all(ready);
});
afterAll(async () => {
	await sandbox.close();
	try {
		for (const n8n of [...workers, main]) await n8n.remove();
	} finally {
		// Even if n8n did not start: running processes would keep Jest from exiting.
		for (const database of databases) await database.remove();
	}
});

/** How many executions each worker has finished. */
const finished = () => WORKERS.map((name) => logOf(name).split('Worker finished execution ').length - 1);

/** Executes a node for each body, all at once, and expects that both workers take part, and lose none. */
async function executeAll(path: string, node: Node, bodies: object[]): Promise<void> {
	const before = finished();
	const { id, run } = await publish(main, path, [node], 'onReceived');
	await Promise.all(bodies.map(run));
	let executions: StoredExecution[] = [];
	await until('the executions have finished', async () => {
		executions = await main.rest.executions(id);
		return executions.length >= bodies.length && executions.every(isFinished);
	});
	expect(executions.map(({ status }) => status)).toEqual(bodies.map(() => 'success'));
	const [first = 0, second = 0] = finished().map((count, index) => count - before[index]!);
	expect([first > 0, second > 0, first + second]).toEqual([true, true, bodies.length]);
}

test('two workers process 40 executions without losing one, with at most one token request each', async () => {
	const orders = PAGES.map(({ id, blocks }) => ({ page: id, ids: blocks.map((block) => block.id).toReversed() }));
	const fields = { ...REORDER_EACH_ITEM, pageId: '={{ $json.body.page }}', blockIds: '={{ $json.body.ids }}' };
	await executeAll('reorder', profilePage(await main.rest.addPrivateApp(sandbox), fields), orders);
	expect(PAGES.map(({ id }) => sandbox.account.order(id))).toEqual(orders.map(({ ids }) => ids));
	expect(sandbox.recorder.calls).toHaveLength(PAGES.length);
	// The executions of a process share a token request. A second process sends its own if it starts
	// before n8n has stored the token of the first.
	expect([1, 2]).toContain(sandbox.recorder.grants);
});

test('twenty executions in two workers, whose public app has an expired token, renew it once', async () => {
	const credential = await main.rest.addPublicApp(sandbox);
	await main.rest.connectPublicApp(credential);
	sandbox.oauth.revokeAccessTokens();
	sandbox.recorder.reset();
	// A worker runs ten at a time, so both need a token before one has it.
	sandbox.faults.add({ path: '/token', latency: 2000 });
	await executeAll('info', publicProfilePage(credential, GET_INFO), Array(20).fill({}) as object[]);
	expect(sandbox.recorder.grants).toBe(1);
});

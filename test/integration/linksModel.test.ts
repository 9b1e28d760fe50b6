/**
 * Creations, updates, and deletions of links at random, in one execution after another, two at once, or a loop, with and
 * without Retry On Fail, while requests fail in every way. `RUNS=150 npx jest linksModel` creates some thousands.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../runner';
import { type Fault, statusFault } from '../../sandbox/faults';
import { NODE, oneNodeWorkflow, profilePageNode, type RunNodeOptions, useHarness } from '../support/harness';

const URLS = ['a', 'b'].map((name) => `https://example.com/${name}`);
const SCHEDULED_URL = 'https://example.com/scheduled';
const FROM = '2099-01-01T10:00:00Z';

const faults = {
	...{ refused: statusFault(400), busy: statusFault(429), down: statusFault(503), failed: statusFault(500) },
	...{ lost: 'lost', cut: 'cut', reset: 'reset', slow: 'hang' },
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof faults;

interface Item {
	url: string;
	title: string;
	ifExists: string;
}

/** One execution, or several at once. */
interface Creation {
	does: 'create';
	executions: Item[][];
	/** How often the node runs in its execution. */
	rounds: number;
	retries: boolean;
	continues: boolean;
	faults: Array<[path: 'add' | 'edit' | 'list', name: FaultName]>;
}

type Step =
	| Creation
	| { does: 'delete'; index: number; fault: FaultName | undefined }
	| { does: 'update'; index: number; title: string; fault: FaultName | undefined };

const title = fc.constantFrom('One', 'Two');
const faultName = fc.constantFrom(...(Object.keys(faults) as FaultName[]));
const fault = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, faultName);
const index = fc.nat(3);
const items = fc.array(
	fc.record({
		url: fc.constantFrom(...URLS, ...URLS, SCHEDULED_URL),
		title,
		ifExists: fc.constantFrom('skip', 'skip', 'update', 'update', 'create'),
	}),
	{ minLength: 1, maxLength: 6 },
);
const creation: fc.Arbitrary<Creation> = fc.record({
	does: fc.constant('create'),
	executions: fc.oneof({ weight: 3, arbitrary: fc.tuple(items) }, fc.tuple(items, items)),
	rounds: fc.constantFrom(1, 1, 1, 3),
	retries: fc.boolean(),
	continues: fc.boolean(),
	faults: fc.array(fc.tuple(fc.constantFrom('add', 'add', 'edit', 'list'), faultName), { maxLength: 4 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: creation },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('delete'), index, fault }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('update'), index, title, fault }) },
);

const harness = useHarness({ links: [] });

/** Plays a scenario, and checks what each step reports against what the service has. */
class Play {
	readonly account: Pick<RunNodeOptions, 'store' | 'reference'> = harness.newAccount();
	/** By the IDs of all links that there have been, what they were created for. */
	readonly #createdFor = new Map<number, string | undefined>();
	readonly #deleted = new Set<unknown>();
	/** Addresses of which there may be several links: one was created without a look, or nobody knows whether. */
	readonly #mayRepeat = new Set<string>();
	itemCount = 0;

	constructor() {
		const { links } = this;
		links.on('change', () => {
			for (const { link_id: id, image } of links.all) this.#createdFor.set(id, image);
		});
	}

	get links() {
		return harness.sandbox.account.links;
	}

	get createdCount(): number {
		return this.#createdFor.size;
	}

	async perform(step: Step): Promise<void> {
		harness.sandbox.faults.clear();
		if (step.does === 'create') await this.#create(step);
		else await this.#change(step);
	}

	async #change(step: Extract<Step, { does: 'delete' | 'update' }>): Promise<void> {
		const link = this.links.all[step.index % Math.max(1, this.links.all.length)];
		if (!link) return;
		const path = step.does === 'delete' ? '/lnk/delete' : '/lnk/edit';
		if (step.fault) harness.sandbox.faults.add({ path, fault: faults[step.fault], times: 1 });
		const updateFields = step.does === 'update' ? { updateFields: { title: step.title } } : {};
		const parameters = { resource: 'links', operation: step.does, linkId: String(link.link_id), ...updateFields };
		const options = { timeout: 200, maxRetries: 0 };
		const { items } = await harness.runNode({ ...parameters, options }, this.account);
		const action = (items[0]?.json.action as string | undefined) ?? 'failed';
		if (action === 'deleted') this.#deleted.add(link.link_id);
		else if (step.does === 'delete') {
			this.#mayRepeat.add(link.link);
		}
	}

	async #create(step: Creation): Promise<void> {
		for (const [path, name] of step.faults) {
			harness.sandbox.faults.add({ path: `/lnk/${path}`, fault: faults[name], times: 1 });
		}
		const before = [...this.links.all];
		const inputs = step.executions.map((execution) =>
			execution.map((item) => ({ ...item, id: (this.itemCount += 1) })),
		);
		const all = inputs.flat();
		for (const { url, ifExists } of all) if (ifExists === 'create') this.#mayRepeat.add(url);
		const runs = await Promise.all(inputs.map(async (input) => await this.#execute(step, input)));
		const isAlone = inputs.length === 1 && step.rounds === 1 && !step.retries;
		for (const [which, tasks] of runs.entries()) {
			for (const output of tasks) this.#checkOutput(inputs[which]!, output, isAlone ? before : undefined);
		}
		this.#checkLinks();
	}

	/** Runs the node, and returns the output of each of its rounds. */
	async #execute({ rounds, retries, continues }: Creation, input: Item[]) {
		const parameters: INodeParameters = {
			resource: 'links',
			operation: 'create',
			title: '={{ $json.title }}',
			url: '={{ $json.url }}',
			ifExists: '={{ $json.ifExists }}',
			additionalFields: {
				// Which item, and which round, a link was created for.
				imageUrl: '={{ "https://example.com/" + $json.id + "/" + $runIndex }}',
				scheduleFrom: `={{ $json.url === '${SCHEDULED_URL}' ? '${FROM}' : '' }}`,
			},
			options: { timeout: 200, maxRetries: 1 },
		};
		const node = profilePageNode(parameters, {
			credentials: { profilePageApi: this.account.reference! },
			...(retries && { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
			...(continues && { onError: 'continueRegularOutput' }),
		});
		const file = oneNodeWorkflow(node);
		const [outputs] = file.connections.Start!.main!;
		for (let round = 1; round < rounds; round += 1) outputs!.push({ ...outputs![0]! });
		const { data } = await runWorkflow(harness.loaded, this.account.store!, file, {
			input: input.map((item) => ({ json: { ...item } })),
			workflowId: 'workflow',
		});
		const tasks = data.resultData.runData[NODE] ?? [];
		if (tasks.some(({ error }) => error)) for (const { url } of input) this.#mayRepeat.add(url);
		return tasks.map((task) => task.data?.main?.[0] ?? []);
	}

	/** @param before what the service had, if nothing else ran meanwhile */
	#checkOutput(
		input: Item[],
		output: Array<{ json: IDataObject; pairedItem?: unknown }>,
		before?: ReadonlyArray<{ link_id: number; title: string }>,
	): void {
		const titles = new Map<unknown, unknown>(before?.map(({ link_id: id, title }) => [id, title]));
		const unclear = new Set<string>();
		for (const { json, pairedItem } of output) {
			const item = input[(pairedItem as { item: number }).item]!;
			const { action, link_id: id, error } = json as { action?: string; link_id?: number; error?: string };
			if (error?.includes('unknown')) this.#mayRepeat.add(item.url);
			if (error) unclear.add(item.url);
			if (action === 'created' || action === 'updated') titles.set(id, item.title);
			if (action === 'skipped' && item.url !== SCHEDULED_URL) {
				expect(this.#deleted).not.toContain(id);
				expect(this.links.all.map((each) => each.link_id)).toContain(id);
			}
			if (action === 'unchanged' && before && !unclear.has(item.url)) expect(titles.get(id)).toBe(item.title);
		}
	}

	#checkLinks(): void {
		const createdFor = [...this.#createdFor.values()];
		expect(createdFor).toEqual([...new Set(createdFor)]);
		for (const url of [...URLS, SCHEDULED_URL]) {
			if (this.#mayRepeat.has(url)) continue;
			expect(this.links.all.filter(({ link }) => link === url).length).toBeLessThanOrEqual(1);
		}
	}
}

test('No link is created twice for an item, and nothing is said of a link that is not so, whatever fails', async () => {
	const done = { scenarios: 0, items: 0, created: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
			await harness.restart({ links: [] });
			const play = new Play();
			for (const each of steps) await play.perform(each);
			done.scenarios += 1;
			done.items += play.itemCount;
			done.created += play.createdCount;
		}),
		// It would take minutes to shrink a scenario.
		{ numRuns: Number(process.env.RUNS ?? 12), seed: Number(process.env.SEED ?? 71), endOnFailure: true },
	);
	if (process.env.RUNS) console.log(done);
}, 1_800_000);

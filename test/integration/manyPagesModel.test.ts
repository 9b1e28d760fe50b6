import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { type Fault, statusFault } from '../../sandbox/faults';
import { type Outcome, Harness } from '../support/harness';

const PAGES = ['PAGE_a', 'PAGE_b', 'PAGE_c', 'PAGE_d'];
const BLOCKS = ['1', '2', '3', '4'];
const MAX_RETRIES = 2;

/** What goes wrong with a request, and whether the service has done what it was asked to. */
const faults = {
	busy: { fault: statusFault(503, 'Busy.', { 'retry-after': '0' }), isDone: false },
	reset: { fault: 'reset', isDone: false },
	lost: { fault: 'lost', isDone: true },
	cut: { fault: 'cut', isDone: true },
} as const satisfies Record<string, { fault: Fault; isDone: boolean }>;

type FaultName = keyof typeof faults;

/** An input item; its order is refused if it leaves a block out. */
interface Item {
	page: string;
	ids: string[];
}

const itemsArbitrary = fc.array(
	fc.record({
		page: fc.constantFrom(...PAGES),
		ids: fc.oneof(
			{ weight: 9, arbitrary: fc.shuffledSubarray(BLOCKS, { minLength: BLOCKS.length }) },
			{ weight: 1, arbitrary: fc.shuffledSubarray(BLOCKS, { minLength: 1, maxLength: 3 }) },
		),
	}),
	{ minLength: 1, maxLength: 25 },
);

/** What goes wrong with the first requests for each page, one after another. */
const faultsArbitrary = fc.array(
	fc.record({
		page: fc.constantFrom(...PAGES),
		name: fc.constantFrom<FaultName>('busy', 'busy', 'busy', 'reset', 'lost', 'cut'),
	}),
	{ maxLength: 5 },
);

/** The service as it is after a run that sends one request after another, and what each item got. */
function runModel(items: Item[], faultsOfPages: Array<{ page: string; name: FaultName }>) {
	const pages = new Map(PAGES.map((page) => [page, [...BLOCKS]]));
	const left = [...faultsOfPages];
	const results = items.map(({ page, ids }) => {
		const isComplete = ids.length === BLOCKS.length;
		for (let tries = 0; tries <= MAX_RETRIES; tries += 1) {
			const index = left.findIndex((fault) => fault.page === page);
			const [struck] = index < 0 ? [] : left.splice(index, 1);
			if (struck && !faults[struck.name].isDone) continue;
			// What the service refuses, it does not lose: the refusal is what is lost.
			if (isComplete) pages.set(page, ids);
			if (!struck) return isComplete ? ids : 'refused';
		}
		return 'failed';
	});
	return { pages, results };
}

let harness: Harness;
beforeAll(async () => {
	const blocks = BLOCKS.map((id) => ({ id, type: 'BLOCK_TITLE' }));
	harness = await Harness.open({ pages: PAGES.map((id) => ({ id, blocks })) });
});
afterAll(async () => await harness.close());

interface Case {
	items: Item[];
	pageFaults: Array<{ page: string; name: FaultName }>;
	batchSize: number;
	latency: number;
}

const cases = fc.record<Case>({
	items: itemsArbitrary,
	pageFaults: faultsArbitrary,
	batchSize: fc.integer({ min: 1, max: 6 }),
	latency: fc.constantFrom(0, 0, 3),
});

async function run(
	{ items, pageFaults, batchSize, latency }: Case,
	onError?: 'continueRegularOutput',
) {
	const { account, faults: injected } = harness.sandbox;
	harness.reset();
	for (const page of PAGES) {
		account.reorder(
			page,
			BLOCKS.map((id, position) => ({ id, position })),
		);
	}
	for (const { page, name } of pageFaults) {
		injected.add({ page, fault: faults[name].fault, times: 1 });
	}
	injected.latency = latency;
	return await harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId: '={{ $json.page }}',
			blockOrder: 'value',
			blockIdsValue: '={{ $json.ids }}',
			options: { batching: { batch: { batchSize } }, maxRetries: MAX_RETRIES },
		},
		{ items: items.map((item) => ({ ...item })), settings: { onError } },
	);
}

function checkGentleness(batchSize: number): void {
	const { recorder } = harness.sandbox;
	expect(recorder.mostInFlight).toBeLessThanOrEqual(batchSize);
	expect(recorder.hasOverlap).toBe(false);
	expect(recorder.grants).toBe(1);
}

/** The output as it must be: the blocks of each item that is done, an error for each that is not. */
function expectedOutput(results: Array<string[] | string>) {
	return results.flatMap((result, item): Array<{ item: number; id?: string; error?: string }> =>
		typeof result === 'string' ? [{ item, error: result }] : result.map((id) => ({ item, id })),
	);
}

function describeItem({ json, pairedItem }: INodeExecutionData) {
	const { item } = pairedItem as { item: number };
	const error = json.error as string | undefined;
	if (!error) return { item, id: json.id };
	return { item, error: error.includes('HTTP 400') ? 'refused' : 'failed' };
}

const RUNS = { numRuns: 20, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false };

test('with Continue on Fail, pages and output are those of a run one after another', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (given) => {
			const { items: output } = await run(given, 'continueRegularOutput');
			const model = runModel(given.items, given.pageFaults);
			expect(output.map(describeItem)).toEqual(expectedOutput(model.results));
			for (const page of PAGES) {
				expect([page, harness.sandbox.account.order(page)]).toEqual([page, model.pages.get(page)]);
			}
			checkGentleness(given.batchSize);
		}),
		RUNS,
	);
}, 60_000);

/** The item indexes that a message lists as done, failed and not sent. */
function readReport({ error }: Outcome) {
	const read = (status: string) => {
		const report = new RegExp(`${status}: items? ([\\d–, ]+)`, 'i');
		const [, ranges = ''] = report.exec(error!.message) ?? [];
		return ranges
			.split(', ')
			.filter(Boolean)
			.flatMap((range) => {
				const [first = 0, last = first] = range.trim().split('–').map(Number);
				return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
			});
	};
	return { done: read('done'), failed: read('failed'), notSent: read('not sent') };
}

test('without, the message accounts for every item as the service has it', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (given) => {
			const outcome = await run(given);
			checkGentleness(given.batchSize);
			const model = runModel(given.items, given.pageFaults);
			const mustFail = model.results.some((result) => typeof result === 'string');
			expect(outcome.error !== undefined).toBe(mustFail);
			if (!mustFail || given.items.length === 1) return;

			const { done, failed, notSent } = readReport(outcome);
			expect([...done, ...failed, ...notSent].sort((a, b) => a - b)).toEqual([
				...given.items.keys(),
			]);
			expect(failed.length).toBeGreaterThan(0);
			expect(outcome.error!.message).toContain(
				given.items[
					(outcome.error as unknown as { context: { itemIndex: number } }).context.itemIndex
				]!.page,
			);
			for (const page of PAGES) {
				const isOfPage = (index: number) => given.items[index]!.page === page;
				if (failed.some(isOfPage)) continue;
				const last = done.filter(isOfPage).at(-1);
				const order = last === undefined ? BLOCKS : given.items[last]!.ids;
				expect(harness.sandbox.account.order(page)).toEqual(order);
			}
		}),
		RUNS,
	);
}, 60_000);

import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { type Fault, statusFault } from '../../sandbox/faults';
import { type Outcome, useHarness } from '../support/harness';
import { pageSeed } from '../support/pages';
import { batching, REORDER_EACH_ITEM } from '../support/parameters';

const PAGES = ['PAGE_a', 'PAGE_b', 'PAGE_c', 'PAGE_d'];
const BLOCKS = ['1', '2', '3', '4'];
const MAX_RETRIES = 2;

/** What goes wrong with a request, and whether the service applies it. */
const faults = {
	busy: { fault: statusFault(502, 'Busy.'), isApplied: false },
	reset: { fault: 'reset', isApplied: false },
	lost: { fault: 'lost', isApplied: true },
	cut: { fault: 'cut', isApplied: true },
} as const satisfies Record<string, { fault: Fault; isApplied: boolean }>;

type FaultName = keyof typeof faults;

/** An input item; the service rejects its order if a block is missing. */
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

/** The pages and the results of the items after a run that sends one request after another. */
function runModel(items: Item[], faultsOfPages: Array<{ page: string; name: FaultName }>) {
	const pages = new Map(PAGES.map((page) => [page, [...BLOCKS]]));
	const left = [...faultsOfPages];
	const results = items.map(({ page, ids }) => {
		const isComplete = ids.length === BLOCKS.length;
		for (let tries = 0; tries <= MAX_RETRIES; tries += 1) {
			const index = left.findIndex((fault) => fault.page === page);
			const [struck] = index < 0 ? [] : left.splice(index, 1);
			if (struck && !faults[struck.name].isApplied) continue;
			// If the service rejects an order, the fault affects the response alone.
			if (isComplete) pages.set(page, ids);
			if (!struck) return isComplete ? ids : 'rejected';
		}
		return 'failed';
	});
	return { pages, results };
}

const harness = useHarness({ pages: PAGES.map((id) => pageSeed(id, BLOCKS)) });

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

async function run({ items, pageFaults, batchSize, latency }: Case, onError?: 'continueRegularOutput') {
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
			...REORDER_EACH_ITEM,
			options: { ...batching(batchSize), maxRetries: MAX_RETRIES },
		},
		{ items: items.map((item) => ({ ...item })), settings: { onError } },
	);
}

function checkConcurrency(batchSize: number): void {
	const { recorder } = harness.sandbox;
	expect(recorder.mostInFlight).toBeLessThanOrEqual(batchSize);
	expect(recorder.hasOverlap).toBe(false);
	expect(recorder.grants).toBe(1);
}

/** The expected output: the blocks of each item that succeeded, an error for each that failed. */
function expectedOutput(results: Array<string[] | string>) {
	return results.flatMap((result, item): Array<{ item: number; id?: string; error?: string }> =>
		typeof result === 'string' ? [{ item, error: result }] : result.map((id) => ({ item, id })),
	);
}

function describeItem({ json, pairedItem }: INodeExecutionData) {
	const { item } = pairedItem as { item: number };
	const error = json.error as string | undefined;
	if (!error) return { item, id: json.id };
	return { item, error: error.includes('(400)') ? 'rejected' : 'failed' };
}

const RUNS = { numRuns: 20, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false };

/** What an error says of the items: how many there are and were not processed, and which failed. */
function readReport({ error }: Outcome) {
	const one = / – item (\d+) of (\d+) failed(?:; (\d+) (?:was|were) not processed)?$/.exec(error!.message);
	if (one) return { failed: [Number(one[1])], count: 1, total: Number(one[2]), unsent: Number(one[3] ?? 0) };
	const several = / – (\d+) of (\d+) items failed(?:; (\d+) (?:was|were) not processed)?$/;
	const [, count, total, unsent = 0] = several.exec(error!.message) ?? [];
	const [, failed = ''] = / Failed: items ([\d, ]+), counted from 0\./.exec(error!.description!) ?? [];
	return { failed: failed.split(', ').map(Number), count: Number(count), total: Number(total), unsent: Number(unsent) };
}

describe('Reorder Blocks for many pages with faults', () => {
	test('with Continue on Fail, concurrent requests give the pages and the output of sequential ones', async () => {
		await fc.assert(
			fc.asyncProperty(cases, async (given) => {
				const { items: output } = await run(given, 'continueRegularOutput');
				const model = runModel(given.items, given.pageFaults);
				expect(output.map(describeItem)).toEqual(expectedOutput(model.results));
				for (const page of PAGES) {
					expect([page, harness.sandbox.account.order(page)]).toEqual([page, model.pages.get(page)]);
				}
				checkConcurrency(given.batchSize);
			}),
			RUNS,
		);
	}, 60_000);

	test('without Continue on Fail, the error says which items failed, and each page has one of its orders', async () => {
		await fc.assert(
			fc.asyncProperty(cases, async (given) => {
				const outcome = await run(given);
				checkConcurrency(given.batchSize);
				const model = runModel(given.items, given.pageFaults);
				const mustFail = model.results.some((result) => typeof result === 'string');
				expect(outcome.error !== undefined).toBe(mustFail);
				if (!mustFail || given.items.length === 1) return;

				const { failed, count, total, unsent } = readReport(outcome);
				expect(total).toBe(given.items.length);
				expect(failed).toHaveLength(count);
				expect(count + unsent).toBeLessThanOrEqual(total);
				const { itemIndex } = (outcome.error as unknown as { context: { itemIndex: number } }).context;
				expect(outcome.error!.message).toContain(given.items[itemIndex]!.page);
				expect(failed).toContain(itemIndex);
				const orders = PAGES.map((page) => {
					const ofPage = given.items.filter((item) => item.page === page).map(({ ids }) => ids);
					return [BLOCKS, ...ofPage].map((ids) => ids.join());
				});
				for (const [index, page] of PAGES.entries()) {
					expect(orders[index]).toContain(harness.sandbox.account.order(page).join());
				}
			}),
			RUNS,
		);
	}, 60_000);
});

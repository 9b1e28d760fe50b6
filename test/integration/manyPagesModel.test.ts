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

/** The item indexes that a description lists as succeeded, failed and not sent. */
function readReport({ error }: Outcome) {
	const read = (status: string) => {
		const report = new RegExp(`${status}: items? ([\\d–, ]+)`, 'i');
		const [, ranges = ''] = report.exec(error!.description!) ?? [];
		return ranges
			.split(', ')
			.filter(Boolean)
			.flatMap((range) => {
				const [first = 0, last = first] = range.trim().split('–').map(Number);
				return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
			});
	};
	return { succeeded: read('succeeded'), failed: read('failed'), notSent: read('not sent') };
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

	test('without Continue on Fail, the error reports every item as the service applied it', async () => {
		await fc.assert(
			fc.asyncProperty(cases, async (given) => {
				const outcome = await run(given);
				checkConcurrency(given.batchSize);
				const model = runModel(given.items, given.pageFaults);
				const mustFail = model.results.some((result) => typeof result === 'string');
				expect(outcome.error !== undefined).toBe(mustFail);
				if (!mustFail || given.items.length === 1) return;

				const { succeeded, failed, notSent } = readReport(outcome);
				expect([...succeeded, ...failed, ...notSent].sort((a, b) => a - b)).toEqual([...given.items.keys()]);
				expect(failed.length).toBeGreaterThan(0);
				const total = given.items.length;
				const failure =
					failed.length === 1 ? `item ${failed[0]} of ${total} failed` : `${failed.length} of ${total} items failed`;
				const rest = notSent.length === 1 ? '1 was not sent' : `${notSent.length} were not sent`;
				const summary = notSent.length > 0 ? `${failure}; ${rest}` : failure;
				expect(outcome.error!.message.endsWith(` – ${summary}`)).toBe(true);
				expect(outcome.error!.message).toContain(
					given.items[(outcome.error as unknown as { context: { itemIndex: number } }).context.itemIndex]!.page,
				);
				for (const page of PAGES) {
					const isOfPage = (index: number) => given.items[index]!.page === page;
					if (failed.some(isOfPage)) continue;
					const last = succeeded.filter(isOfPage).at(-1);
					const order = last === undefined ? BLOCKS : given.items[last]!.ids;
					expect(harness.sandbox.account.order(page)).toEqual(order);
				}
			}),
			RUNS,
		);
	}, 60_000);
});

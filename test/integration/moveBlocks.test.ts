import fc from 'fast-check';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { HOME, LIST_PATHS, SHOP } from '../support/pages';

const LIST = '/sandbox/blocks';
const SORT = '/sort';

/** n8n treats a wait of 0 as one second. */
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const harness = useHarness();

const order = (pageId: string) => harness.sandbox.account.order(pageId);

const locator = (value: string, name?: string) => ({
	__rl: true,
	mode: name ? 'list' : 'id',
	value,
	...(name && { cachedResultName: name }),
});

const arranging = (parameters: INodeParameters): INodeParameters => ({
	resource: 'blocks',
	operation: 'move',
	...parameters,
});

const rotating = arranging({ pageId: '={{ $json.page }}', arrangement: 'rotate', options: { maxRetries: 0 } });

const run = async (parameters: INodeParameters, items: IDataObject[] = [{}], settings: Partial<INode> = {}) =>
	await harness.runNode(parameters, { items, settings, credential: LIST_PATHS });

/** The paths of all calls, in order, without their queries. */
const paths = () =>
	harness.sandbox.recorder.calls.map(({ url }) => url.split('?')[0]!.replace(/.*(?=\/(sort|blocks)$)/, ''));

const READ_AND_SENT = ['/blocks', '/sort'];

/** By how many positions the blocks of a page are rotated. */
const rotation = (pageId: string, before: readonly string[]) => before.indexOf(order(pageId)[0]!);

const move = (ids: unknown, parameters: INodeParameters = {}) =>
	arranging({ pageId: locator(HOME), blocksToMove: ids as string[], ...parameters });

describe('Move Blocks', () => {
	test.each<[string, INodeParameters, (ids: string[]) => unknown]>([
		['moves blocks to the top in their order', {}, ([a, b, c, d]) => [d, b, a, c]],
		['moves blocks to the bottom', { arrangement: 'moveToBottom' }, ([a, b, c, d]) => [a, c, d, b]],
		['reverses', { arrangement: 'reverse' }, (ids) => ids.toReversed()],
		['rotates', { arrangement: 'rotate' }, ([top, ...others]) => [...others, top]],
		['rotates by Rotate By', { arrangement: 'rotate', rotateBy: -2 }, ([a, b, c, d]) => [c, d, a, b]],
		['shuffles', { arrangement: 'shuffle' }, (ids) => expect.arrayContaining(ids) as unknown],
	])('%s: from the order that the page has when it runs', async (_does, parameters, expected) => {
		const before = order(HOME);
		await run(move([before[3], before[1]], parameters));
		expect(order(HOME)).toEqual(expected(before));
		expect(paths()).toEqual(READ_AND_SENT);
	});

	test('loses nothing to another execution that moves blocks of the page at the same moment', async () => {
		const [, , c, d] = order(HOME);
		harness.sandbox.faults.latency = 20;
		const account = harness.newAccount(LIST_PATHS);
		const outcomes = await Promise.all([[c], [d]].map(async (ids) => await harness.runNode(move(ids), account)));
		expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
		const onTop = order(HOME).slice(0, 2);
		expect(onTop.toSorted()).toEqual([c, d].toSorted());
		expect(harness.sandbox.recorder.mostInFlight).toBe(1);
	});

	test.each([
		[
			'title',
			(title: string, id: string) => ({ type: 'X', title, id }),
			['id', 'title', 'type', 'position', 'page_id'],
		],
		[
			'name',
			(name: string, id: string) => ({ id, label: 'x', name }),
			['id', 'name', 'label', 'position', 'type', 'page_id'],
		],
		['no name', (_name: string, id: string) => ({ id }), ['id', 'position', 'type', 'page_id']],
	])(
		'returns each block with the %s of its list, first its ID and last that of the page',
		async (_what, toEntry, keys) => {
			const [top = '', ...others] = order(HOME);
			const data = [toEntry('New single', top), ...others.map((id) => toEntry('', id))];
			harness.sandbox.faults.add({ path: LIST, fault: jsonResponse({ status: true, data }) });
			const { items } = await run(move([top]));
			const [{ json }] = items as [INodeExecutionData];
			expect(json).toEqual({ ...data[0], type: 'BLOCK_TITLE', position: 0, page_id: HOME });
			expect(Object.keys(json)).toEqual(keys);
		},
	);

	test('says by name which block is on top of which page, unless the service returned another order', async () => {
		const [a, b] = order(HOME);
		const byName = await run({ ...move([b]), pageId: locator(HOME, 'Home') });
		expect(byName.hints).toMatchObject([{ message: 'On top of page "Home": "Follow the band".', type: 'info' }]);
		const byId = await run(move([a]));
		expect(byId.hints).toMatchObject([{ message: `On top of page "${HOME}": "New single".` }]);
		harness.sandbox.faults.add({ path: SORT, fault: jsonResponse({ status: true, data: { blocks: [{ id: a }] } }) });
		const { hints } = await run(move([b]));
		expect(hints).toMatchObject([{ message: expect.stringMatching(/another order\. Check the page/) as string }]);
	});
});

describe('Blocks to Keep in Place', () => {
	const keeping = (blocksToKeep: unknown, parameters: INodeParameters = {}) =>
		arranging({ pageId: HOME, arrangement: 'rotate', blocksToKeep: blocksToKeep as string[], ...parameters });

	test('keep the positions that they have, chosen by name or ID, and the others move among the rest', async () => {
		const [a, b, c, d] = order(HOME);
		const { items, hints } = await run(keeping([a, 'Listen on']));
		expect(order(HOME)).toEqual([a, c, b, d]);
		expect(items.map(({ json }) => json.id)).toEqual([a, c, b, d]);
		expect(hints.map(({ message }) => message)).toEqual([
			`On top of page "${HOME}", below what is kept in place: "Tour dates".`,
		]);
	});

	test('that are not on the page are named', async () => {
		const before = order(HOME);
		const { error } = await run(keeping(['gone'], { arrangement: 'reverse' }));
		expect(error?.message).toContain(`Blocks to Keep in Place: no block of page "${HOME}" is called "gone". It has: "`);
		expect(order(HOME)).toEqual(before);
	});
});

describe('Move Blocks sends nothing', () => {
	const WITHOUT_PATH = / Reorder Blocks, with Page set to By ID, works without it\.$/;

	test.each<[string, INodeParameters, Record<string, string>, string, RegExp?]>([
		[
			'a broken number',
			{ arrangement: 'rotate', rotateBy: 1.5 },
			LIST_PATHS,
			'Rotate By: the value must be a whole number',
		],
		['no block', { blocksToMove: '={{ [] }}' }, LIST_PATHS, 'Blocks to Move: the list is empty', /^Choose/],
		['another Arrangement', { arrangement: 'up' }, LIST_PATHS, 'Arrangement: "up" is not one of the options', /^Use/],
		['a page ID of dots', { pageId: '..' }, LIST_PATHS, 'Page: ".." is not an ID', /^Enter the ID of the page\.$/],
		['no Blocks Path', {}, {}, 'Blocks Path: the credential does not contain it', WITHOUT_PATH],
		[
			'a Blocks Path out of the service',
			{},
			{ blocksPath: 'https://example.org/blocks' },
			'Blocks Path: the request would not go to the Base URL of the credential',
			/^Enter/,
		],
	])('for %s', async (...row) => {
		const [, parameters, credential, message, description] = row;
		const { error } = await harness.runNode(move(['a'], parameters), { credential });
		harness.expectRefused(error, expect.stringContaining(message), description && expect.stringMatching(description));
	});

	test('for a block that is not on the page, and says which ones are', async () => {
		const before = order(HOME);
		const { error } = await run({ ...move([before[1], 'Vynil']), pageId: locator(HOME, 'Home') });
		expect(error).toMatchObject({
			message:
				'Blocks to Move: no block of page "Home" is called "Vynil". It has: "New single", "Follow the band", "Tour dates", "Listen on"',
		});
		expect(order(HOME)).toEqual(before);
		expect(paths()).toEqual(['/blocks']);
	});

	const CHECK_PATH =
		'Check the Page (to enter its name, set Page to Name), and Blocks Path in the credential: it must be the path of "List blocks in a page" in the API documentation of your service.';
	const NO_LIST = 'Check that Blocks Path in the credential is the path of "List blocks in a page".';
	const PART =
		'Find out from the API documentation of your service how to get all blocks in one response, such as with per_page=100, and add that to Blocks Path in the credential.';
	const part = (body: object): Fault => jsonResponse({ status: true, ...body });
	const blocks = [{ id: 'a' }, { id: 'b' }];

	test.each<[string, Fault, RegExp, string]>([
		['with 404', statusFault(404), /the service has nothing at this address \(404\)$/, CHECK_PATH],
		['without a list', jsonResponse({ status: true }), /the response contains no list$/, NO_LIST],
		['without blocks', jsonResponse({ data: [] }), /the list contains no blocks$/, NO_LIST],
		['with an entry without ID', jsonResponse([{ id: 'a' }, {}]), /entry 2 of the list has no ID$/, NO_LIST],
		['with a part of the blocks', part({ data: blocks, total: 3 }), /contains only a part of the blocks$/, PART],
		['that is lost', 'lost', /the connection to the service broke$/, 'Try again later'],
	])('after a response %s', async (_what, fault, problem, advice) => {
		const before = order(HOME);
		harness.sandbox.faults.add({ path: LIST, fault });
		const { error } = await run({ ...move([before[1]]), options: { maxRetries: 0 } });
		expect(error!.message).toMatch(problem);
		expect(error!.message).toContain(
			`The blocks of page "${HOME}" were not reordered: the list of blocks was not read: `,
		);
		expect(error!.description).toContain(advice);
		expect(order(HOME)).toEqual(before);
		expect(paths()).toEqual(['/blocks']);
	});
});

test('Move Blocks on a page that changes meanwhile says so, and to run again', async () => {
	const [, ...others] = order(HOME);
	const data = others.map((id) => ({ id }));
	harness.sandbox.faults.add({ path: LIST, fault: jsonResponse({ status: true, data }) });
	const { error } = await run(move(others));
	expect(error!.message).toBe(
		`The blocks of page "${HOME}" were not reordered: the service rejected the request (400)`,
	);
	expect(error!.description).toMatch(
		/^The page has probably changed since its blocks were read: one was added or removed\. Run the workflow again\./,
	);
});

describe('Move Blocks for several items', () => {
	const moving = arranging({ pageId: '={{ $json.page }}', blocksToMove: '={{ $json.blocks }}' });
	const paired = (output: INodeExecutionData[]) => output.map(({ json, pairedItem }) => [json.id, pairedItem]);

	test('moves the blocks of all items of a page in one change, in their order, each once', async () => {
		const [[a, b, c, d], shop] = [order(HOME), order(SHOP)];
		const { items } = await run(moving, [
			{ page: HOME, blocks: 'Listen on' },
			{ page: SHOP, blocks: 'Gift cards' },
			{ page: HOME, blocks: ['Tour dates', d] },
			{ page: HOME, blocks: b },
		]);
		expect(order(HOME)).toEqual([d, c, b, a]);
		expect(order(SHOP)[0]).toBe(shop[6]);
		expect(paired(items).slice(0, 4)).toEqual([
			[d, { item: 0 }],
			[c, { item: 2 }],
			[b, { item: 3 }],
			[a, { item: 0 }],
		]);
		expect(harness.sandbox.recorder.calls).toHaveLength(4);
	});

	test('rotates a page once, with the fields of its first item', async () => {
		const [before, home] = [order(SHOP), order(HOME)];
		const items = [SHOP, HOME, SHOP, SHOP].map((page, index) => ({ page, by: index + 1 }));
		await run({ ...rotating, rotateBy: '={{ $json.by }}' }, items);
		expect([rotation(SHOP, before), rotation(HOME, home)]).toEqual([1, 2]);
		expect(harness.sandbox.recorder.calls).toHaveLength(4);
	});

	test.each([
		['is unknown', 'Vynil', /^Blocks to Move: no block of page ".*" is called "Vynil"\. It has: /],
		['is missing', undefined, /^Blocks to Move: the expression returns no value\./],
	])('fails for a page if a block of one item %s, which the error names', async (_what, blocks, message) => {
		const before = order(HOME);
		const items = [
			{ page: HOME, blocks: 'Tour dates' },
			{ page: SHOP, blocks: 'Gift cards' },
			{ page: HOME, blocks },
		];
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items: output } = await run(moving, items, settings);
		const errors = output.filter(({ json }) => json.error);
		expect(errors).toEqual([{ json: { error: expect.stringMatching(message) as string }, pairedItem: { item: 2 } }]);
		expect(order(HOME)).toEqual(before);
		expect(output).toHaveLength(1 + order(SHOP).length);
		const { error } = await run(moving, items.slice(1));
		expect(error!.context.itemIndex).toBe(1);
	});
});

describe('A lost response', () => {
	const lost = (times = 1) => harness.sandbox.faults.add({ path: SORT, fault: 'lost', times });

	test('rotates the page once in spite of a retry of the request', async () => {
		const before = order(SHOP);
		lost();
		const { error, items } = await run({ ...rotating, options: { maxRetries: 1 } }, [{ page: SHOP }]);
		expect(error).toBeUndefined();
		expect(rotation(SHOP, before)).toBe(1);
		expect(items.map(({ json }) => json.id)).toEqual(order(SHOP));
		expect(paths()).toEqual([...READ_AND_SENT, '/sort']);
	});

	test.each([{}, RETRY])(
		'is not followed by another rotation, but says to look at the profile (%j)',
		async (settings) => {
			const before = order(SHOP);
			lost();
			const { error } = await run(rotating, [{ page: SHOP }], settings);
			expect(error).toMatchObject({
				message: `It is unknown whether the blocks of page "${SHOP}" were reordered: the connection to the service broke`,
				description: 'Look at your profile, and try again only if the change is missing.',
			});
			expect(rotation(SHOP, before)).toBe(1);
			expect(paths()).toEqual(READ_AND_SENT);
		},
	);
});

describe('With Retry On Fail, Move Blocks', () => {
	test.each<[string, Fault, INodeParameters]>([
		['a rejection', statusFault(400), {}],
		['a lost response, if it moves blocks', 'lost', { arrangement: 'moveToBottom' }],
	])('reads the page again after %s', async (_what, fault, parameters) => {
		const before = order(SHOP);
		harness.sandbox.faults.add({ path: SORT, fault, times: 1 });
		await run({ ...rotating, blocksToMove: [before[0]!], ...parameters }, [{ page: SHOP }], RETRY);
		expect(rotation(SHOP, before)).toBe(1);
		expect(paths()).toEqual([...READ_AND_SENT, ...READ_AND_SENT]);
	});

	test('rotates a page at most once, and once if that succeeds, for any faults and number of items', async () => {
		const fault = fc.constantFrom<Fault | undefined>(undefined, undefined, statusFault(400), 'lost', 'reset', 'cut');
		const faults = fc.array(fault, { minLength: 1, maxLength: 10 });
		const onError = fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput');
		await fc.assert(
			fc.asyncProperty(
				faults,
				faults,
				fc.integer({ min: 1, max: 3 }),
				onError,
				async (ofLists, ofOrders, count, mode) => {
					await harness.restart();
					for (const each of ofLists) harness.sandbox.faults.add({ path: LIST, fault: each, times: 1 });
					for (const each of ofOrders) harness.sandbox.faults.add({ path: SORT, fault: each, times: 1 });
					const before = order(SHOP);
					const items = Array.from({ length: count }, () => ({ page: SHOP }));
					const {
						items: output,
						errorItems,
						error,
					} = await run(rotating, items, { ...RETRY, onError: mode as INode['onError'] });
					const failed = [...output, ...errorItems].filter(({ json }) => json.error);
					const unknown = failed.filter(
						({ json }) => typeof json.error === 'string' && /unknown|may have been made/.test(json.error),
					);
					const rotated = rotation(SHOP, before);
					expect(rotated).toBeLessThanOrEqual(1);
					if (error) return;
					expect(rotated).toBeGreaterThanOrEqual(1 - failed.length);
					expect(rotated).toBeLessThanOrEqual(1 - failed.length + unknown.length);
				},
			),
			{
				numRuns: 60,
				// So that the messages are always the same.
				seed: 37,
				// A later item succeeds before the order of an earlier one is worked out, and its response is lost.
				examples: [
					[['reset', 'lost', undefined], [undefined, 'reset', statusFault(400), undefined], 3, 'continueErrorOutput'],
				],
			},
		);
	}, 120_000);
});

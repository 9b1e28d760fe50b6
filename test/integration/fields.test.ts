import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Harness } from '../support/harness';

let harness: Harness;
beforeAll(async () => (harness = await Harness.open()));
afterAll(async () => await harness.close());

/** Runs the node on these items; tells what was sent, and what came out. */
async function run(parameters: INodeParameters, items: Array<INodeExecutionData['json']>) {
	harness.reset();
	const outcome = await harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'value',
			options: { batching: { batch: { batchSize: 1 } } },
			...parameters,
		},
		{ items, settings: { onError: 'continueRegularOutput' } },
	);
	const sent = harness.sandbox.recorder.calls.map(({ body }) => body);
	return { sent, output: outcome.items, error: outcome.error?.message };
}

const names = fc.constantFrom('a', 'b c', 'length', 'constructor', '__proto__', 'toString', '0');

const data: fc.Arbitrary<object> = fc.letrec<{ value: unknown; holder: object }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.oneof(
			fc.string(),
			fc.constantFrom('={{ 1 + 1 }}', ' x ', '', 'PAGE_home_65f1c0a2b3d4e'),
			fc.integer(),
			fc.double(),
			fc.boolean(),
			fc.constant(null),
			fc.array(fc.string(), { maxLength: 3 }),
		),
		tie('holder'),
	),
	holder: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
})).holder;

/** The same path as an expression that this node reads by itself, and as one that it leaves to n8n. */
const paths = fc
	.array(names, { minLength: 1, maxLength: 3 })
	.map((steps) => `$json${steps.map((name) => `["${name}"]`).join('')}`)
	.map((path) => ({ own: `={{ ${path} }}`, ofN8n: `={{ (${path}) }}` }));

test('a path into the item means what it means to n8n', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(data, { minLength: 1, maxLength: 3 }),
			paths,
			fc.constantFrom('pageId', 'blockIdsValue'),
			async (given, { own, ofN8n }, field) => {
				const others = { pageId: 'PAGE_x', blockIdsValue: 'a, b' };
				const items = given as Array<INodeExecutionData['json']>;
				const asRead = await run({ ...others, [field]: own }, items);
				expect(asRead).toEqual(await run({ ...others, [field]: ofN8n }, items));
			},
		),
		{ numRuns: 150 },
	);
}, 60_000);

test('a list that is defined below is evaluated for each item if it holds an expression', async () => {
	const { sent } = await run(
		{ pageId: 'PAGE_x', blockOrder: 'list', blockIds: ['a', '={{ $json.id }}'] },
		[{ id: 'b' }, { id: 'c' }],
	);
	expect(sent.map((body) => new URLSearchParams(body).get('blocks'))).toEqual([
		'[{"id":"a","position":0},{"id":"b","position":1}]',
		'[{"id":"a","position":0},{"id":"c","position":1}]',
	]);
});

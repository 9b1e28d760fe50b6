import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useHarness } from '../support/harness';

const harness = useHarness();

/** Runs the node on these items; returns what was sent and what was output. */
async function run(parameters: INodeParameters, items: Array<INodeExecutionData['json']>) {
	harness.reset();
	const outcome = await harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			options: { batchSize: 1 },
			...parameters,
		},
		{ items, settings: { onError: 'continueRegularOutput' } },
	);
	const sent = harness.sandbox.recorder.calls.map(({ body }) => body);
	return { sent, output: outcome.items, error: outcome.error?.message };
}

const names = fc.constantFrom('a', 'length', 'constructor', '__proto__', 'toString');

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

const paths = fc
	.array(names, { minLength: 1, maxLength: 3 })
	.map((steps) => `$json${steps.map((name) => `.${name}`).join('')}`);

/** Expressions, alone or in a text. Those with parentheses are left to n8n. */
const entered = fc.oneof(
	fc.tuple(
		paths,
		fc.constant((path: string) => `={{ ${path} }}`),
	),
	fc.tuple(
		paths,
		fc.constant((path: string) => `=P{{ ${path} }}_{{ $json.a }} `),
	),
);

test('expressions that are paths into the item give the same value as in n8n, and are left to n8n in a text', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(data, { minLength: 1, maxLength: 3 }),
			entered,
			fc.constantFrom('pageId', 'blockIds'),
			async (given, [path, toExpression], field) => {
				const others = { pageId: 'PAGE_x', blockIds: 'a, b' };
				const items = given as Array<INodeExecutionData['json']>;
				const read = async (expression: string) => {
					const result = await run({ ...others, [field]: toExpression(expression) }, items);
					// Messages quote the expression.
					return JSON.stringify(result).replaceAll(/[()]/g, '');
				};
				expect(await read(path)).toBe(await read(`(${path})`));
			},
		),
		{ numRuns: 100 },
	);
}, 60_000);

describe('A number that is not finite is no text, and nothing is sent:', () => {
	const value = '={{ $json.price * 2 }}';
	const create = { resource: 'links', operation: 'create', title: 'A', url: 'https://example.com' };
	const order = { resource: 'blocks', operation: 'reorder', pageId: 'p' };

	test.each<[INodeParameters, string]>([
		[{ ...create, title: value }, 'Title: the value is an invalid number, not text'],
		[{ ...order, blockIds: '={{ ["a", $json.price * 2] }}' }, 'Block IDs: entry 2 is an invalid number, not text'],
	])('%j', async (parameters, message) => {
		const { error } = await harness.runNode(parameters);
		harness.expectRefused(error, message);
	});
});

describe('A text', () => {
	const create = { resource: 'links', operation: 'create', title: 'A', url: 'https://example.com' };
	const items = [{ feed: { name: 'x' }, none: 'null', text: 'Why [object Object] appears' }];
	const refused = (text: string) => `an expression returns nothing, an object, or an invalid date: "${text}"`;

	test.each<[INodeParameters, string]>([
		[{ ...create, title: '=News: {{ $json.feed }}' }, `Title: ${refused('News: [object Object]')}`],
		[{ ...create, title: '=Live on {{ DateTime.fromISO("nope") }}' }, `Title: ${refused('Live on Invalid DateTime')}`],
		[{ ...create, title: '={{ $json.none }}' }, `Title: ${refused('null')}`],
		[
			{ ...create, additionalFields: { imageUrl: '=https://example.com/{{ $json.feed }}.png' } },
			`Image URL: ${refused('https://example.com/[object Object].png')}`,
		],
	])('in which an expression is no text is not sent: %j', async (parameters, message) => {
		const { error } = await harness.runNode(parameters, { items });
		harness.expectRefused(error, message, 'Check the expression.');
	});

	test('may contain such words itself, if it is not from an expression', async () => {
		const { error } = await harness.runNode({ ...create, title: 'Why [object Object] appears' }, { items });
		expect(error).toBeUndefined();
	});
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { type LoadedPackage, loadPackage, stopEngine } from '../../runner';

/** What saved workflows and credentials depend on: the name, type, and default of each field, and its choices. */
const FILE = path.join(__dirname, 'description.json');

// Outside the test: Stryker would run mutants of what is evaluated on loading with this test alone.
let loaded: LoadedPackage;
beforeAll(async () => (loaded = await loadPackage()));
afterAll(() => stopEngine());

/** A line for each field, also inside collections, such as `api:request method: options = "GET" of "GET", "POST"`. */
function lines(properties: readonly INodeProperties[], collection = ''): string[] {
	return properties.flatMap(({ name, type, default: value, displayOptions, options = [], modes = [] }) => {
		const { resource, operation }: Record<string, unknown[] | undefined> = displayOptions?.show ?? {};
		const shown = [resource?.join(), operation?.join()].filter(Boolean).join(':');
		const full = collection ? `${collection}.${name}` : [shown, name].filter(Boolean).join(' ');
		const choices = [
			...options.filter((option) => 'value' in option).map((option) => option.value),
			...modes.map((mode) => mode.name),
		];
		const of = choices.length > 0 ? ` of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}` : '';
		const inner = options.flatMap((option) => {
			if ('values' in option) return lines(option.values, `${full}.${option.name}`);
			return 'type' in option ? lines([option], full) : [];
		});
		// An expression may be written in another way, and do the same.
		const isExpression = typeof value === 'string' && value.startsWith('=');
		return [`${full}: ${type} = ${isExpression ? 'an expression' : JSON.stringify(value)}${of}`, ...inner];
	});
}

// A changed name, type or default may break saved workflows. After an intended change, run
// `npm run docs` and review the difference.
test('names, types, defaults, and choices of all fields are those that saved workflows depend on', () => {
	const types = ['profilePage', 'profilePageTrigger'].map(
		(name) => loaded.nodeTypes.getByNameAndVersion(`n8n-nodes-profile-page.${name}`, 1).description,
	);
	const credentials = ['profilePageApi', 'profilePageOAuth2Api'].map((name) => loaded.credentialType(name));
	// n8n adds its own field to triggers that poll.
	const described = Object.fromEntries(
		[...types, ...credentials].map(({ name, properties }) => [
			name,
			lines(properties.filter((field) => field.name !== 'pollTimes')),
		]),
	);
	if (process.env.UPDATE) writeFileSync(FILE, `${JSON.stringify(described, null, 2)}\n`);
	expect(described).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});

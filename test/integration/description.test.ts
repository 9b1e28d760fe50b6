/** What the package contains and declares: files, fields, and what operations return. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	Workflow,
} from 'n8n-workflow';

import manifest from '../../package.json';
import { CredentialStore } from '../../runner';
import { isObject } from '../../nodes/ProfilePage/shared/values';
import { jsonResponse } from '../../sandbox/faults';
import { seededLinks } from '../../sandbox/seed';
import { profilePageNode, useHarness } from '../support/harness';
import { HOME, LIST_PATHS } from '../support/pages';

const ROOT = path.resolve(__dirname, '../..');

/** What each operation returns. n8n looks for `v1.0.0/<resource>/<operation>.json`, and `v1.0.0.json` for a node without resources. */
const SCHEMAS = 'nodes/ProfilePage/__schema__';

const CREDENTIALS = ['profilePageApi', 'profilePageOAuth2Api'];

const harness = useHarness();

// Read in tests: Stryker would run mutants of what is evaluated on loading with the first test alone.
let node: INodeTypeDescription;
let trigger: INodeTypeDescription;
beforeAll(() => {
	const { nodeTypes } = harness.loaded;
	[node, trigger] = ['profilePage', 'profilePageTrigger'].map(
		(name) => nodeTypes.getByNameAndVersion(`n8n-nodes-profile-page.${name}`, 1).description,
	) as [INodeTypeDescription, INodeTypeDescription];
});

const schemaFiles = () =>
	readdirSync(path.join(ROOT, SCHEMAS), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

/** The operations, as `links:create`, with their texts. */
const operationsOf = ({ properties }: INodeTypeDescription) =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) => {
			const [resource] = displayOptions!.show!.resource as [string];
			const choices = options as INodePropertyOptions[];
			return choices.map(({ value, action = '' }) => ({ key: `${resource}:${String(value)}`, action }));
		});

/** What saved workflows and credentials depend on: the name, type, and default of each field, and its choices. */
const FIELDS = path.join(__dirname, 'description.json');

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
test('Names, types, defaults, and choices of all fields are those that saved workflows depend on', () => {
	const credentials = CREDENTIALS.map((name) => harness.loaded.credentialType(name));
	// n8n adds its own field to triggers that poll.
	const described = Object.fromEntries(
		[node, trigger, ...credentials].map(({ name, properties }) => [
			name,
			lines(properties.filter((field) => field.name !== 'pollTimes')),
		]),
	);
	if (process.env.UPDATE) writeFileSync(FIELDS, `${JSON.stringify(described, null, 2)}\n`);
	expect(described).toEqual(JSON.parse(readFileSync(FIELDS, 'utf8')));
});

const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');

describe('The package', () => {
	test('contains what n8n needs and nothing else', () => {
		const printed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [{ files }] = JSON.parse(printed) as [{ files: Array<{ path: string }> }];
		const paths = files.map((file) => file.path);
		expect(paths).toEqual(
			expect.arrayContaining([
				'LICENSE',
				'README.md',
				'package.json',
				...manifest.n8n.nodes,
				...manifest.n8n.credentials,
				'dist/nodes/ProfilePage/ProfilePage.node.json',
				...schemaFiles().map((file) => `dist/${SCHEMAS}/${file}`),
				'dist/nodes/ProfilePage/profilePage.svg',
				'dist/nodes/ProfilePage/profilePage.dark.svg',
			]),
		);
		const expected = /^(LICENSE|README\.md|package\.json|dist\/(nodes|credentials)\/.*\.(js|svg|json))$/;
		expect(paths.filter((file) => !expected.test(file))).toEqual([]);
	});

	test('has no runtime dependencies except n8n-workflow, which n8n provides', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});
});

const ICONS = {
	light: 'icons/n8n-nodes-profile-page/dist/nodes/ProfilePage/profilePage.svg',
	dark: 'icons/n8n-nodes-profile-page/dist/nodes/ProfilePage/profilePage.dark.svg',
};

describe('The node', () => {
	test.each([
		['blocks', 'reorder', 'Reorder Blocks'],
		['me', 'getInfo', 'Get Info: Me'],
	])('has a subtitle in plain words for %s: %s', (resource, operation, words) => {
		const saved = profilePageNode({ resource, operation }, {});
		const { nodeTypes } = harness.loaded;
		const { expression } = new Workflow({ nodes: [saved], connections: {}, active: false, nodeTypes });
		expect(expression.getSimpleParameterValue(saved, node.subtitle, 'internal', {})).toBe(words);
	});

	test('has categories and aliases that n8n finds', () => {
		expect(node.codex).toMatchObject({
			categories: expect.arrayContaining(['Marketing & Content']) as string[],
			alias: expect.arrayContaining(['link in bio', 'reorder']) as string[],
		});
	});

	test.each([
		['operations', () => node],
		['trigger', () => trigger],
	])('links to the page %s, and to that on credentials, in the documentation of the repository', (page, type) => {
		const { primaryDocumentation, credentialDocumentation } = type().codex?.resources ?? {};
		for (const [links, name] of [
			[primaryDocumentation, page],
			[credentialDocumentation, 'credentials'],
		] as const) {
			expect(links).toEqual([{ url: `${REPOSITORY}/blob/HEAD/docs/${name}.md` }]);
			expect(existsSync(path.join(ROOT, 'docs', `${name}.md`))).toBe(true);
		}
	});

	test('has a light and a dark icon for the node and its credentials', () => {
		const icons = [node, ...CREDENTIALS.map((name) => harness.loaded.credentialType(name))].map(
			({ iconUrl }) => iconUrl,
		);
		expect(icons).toEqual(Array(3).fill(ICONS));
	});

	test('can be used by AI agents, with a sentence for each operation; the trigger cannot', () => {
		expect([node.usableAsTool, trigger.usableAsTool]).toEqual([true, undefined]);
		for (const { action } of operationsOf(node)) {
			expect(action.replace('API', 'api')).toMatch(/^[A-Z][^A-Z]+[^.]$/);
		}
	});

	test('has a credential for each kind of app, and uses a private app by default', () => {
		const field = node.properties.find(({ name }) => name === 'authentication')!;
		expect(field.default).toBe('clientCredentials');
		expect(node.credentials?.map(({ name, displayOptions }) => [name, displayOptions?.show])).toEqual([
			['profilePageApi', { authentication: ['clientCredentials'] }],
			['profilePageOAuth2Api', { authentication: ['oAuth2'] }],
		]);
	});
});

describe.each(CREDENTIALS)('The dialog of the credential %s', (name) => {
	test('shows the Base URL first, then where an app is created, then its client ID and its secret', () => {
		const fields = new CredentialStore(harness.loaded).getCredentialsProperties(name);
		const shown = fields
			.filter(({ type, doNotInherit, displayOptions }) => {
				return type !== 'hidden' && !doNotInherit && !displayOptions;
			})
			.map((field) => field.name);
		expect(shown.slice(0, 4)).toEqual(['baseUrl', 'appNotice', 'clientId', 'clientSecret']);
	});

	test('links to its section in the documentation of the repository', () => {
		const [page, section = ''] = harness.loaded.credentialType(name).documentationUrl!.split('#');
		expect(page).toBe(`${REPOSITORY}/blob/HEAD/docs/credentials.md`);
		const headings = readFileSync(path.join(ROOT, 'docs/credentials.md'), 'utf8').toLowerCase();
		expect(headings).toContain(`\n## ${section.replaceAll('-', ' ')}\n`);
	});
});

test('The credential of a private app hides the secret, the token and what is stored with it from the browser', () => {
	const { properties } = harness.loaded.credentialType('profilePageApi');
	const masked = properties.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name);
	const ofToken = ['', 'Binding', 'ExpiresAt'].map((part) => `accessToken${part}`);
	expect(masked).toEqual(['clientSecret', ...ofToken]);
});

interface JsonSchema {
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
}

/** Returns the JSON Schema that fits all of these values. n8n's editor shows the first type of several, so null is last. */
function schemaOf(values: readonly unknown[]): JsonSchema {
	const types = [...new Set(values.map(typeOf))].sort(
		(one, other) => Number(one === 'null') - Number(other === 'null'),
	);
	const entries = values.filter(isObject).flatMap((value) => Object.entries(value));
	const listed = values.filter((value) => Array.isArray(value)).flat() as unknown[];
	return {
		type: types.length === 1 ? types[0]! : types,
		...(entries.length > 0 && { properties: propertiesOf(entries) }),
		...(listed.length > 0 && { items: schemaOf(listed) }),
	};
}

function propertiesOf(entries: ReadonlyArray<[name: string, value: unknown]>): Record<string, JsonSchema> {
	const names = [...new Set(entries.map(([name]) => name))];
	const valuesOf = (wanted: string) => entries.filter(([name]) => name === wanted).map(([, value]) => value);
	return Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))]));
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

const TRIGGER_FILE = 'v1.0.0.json';
const toFile = (key: string) => `v1.0.0/${key.replace(':', '/')}.json`;

const ORDER = [
	'65f1c0a2b3d4e4.42081523',
	'65f1c0a2b3d4e1.10481516',
	'65f1c0a2b3d4e3.16234204',
	'65f1c0a2b3d4e2.23420815',
];
const LINK = { linkId: '1' };

/** The operations, with what they need beside the defaults. */
const OPERATIONS: Array<[operation: string, fields: INodeParameters]> = [
	['blocks:getAll', { pageId: HOME }],
	['blocks:move', { pageId: HOME, blocksToMove: [ORDER[0]!] }],
	['blocks:reorder', { pageId: HOME, blockIds: ORDER }],
	['groups:getAll', {}],
	['links:create', { title: 'New single', url: 'https://example.com/single' }],
	['links:delete', LINK],
	['links:getAll', {}],
	['links:update', { ...LINK, updateFields: { title: 'Newsletter', url: 'https://example.com/news' } }],
	['me:getInfo', {}],
	['pages:getAll', {}],
];

/** The account of the sandbox has no picture. */
const INFO = { username: '@sandbox', url: 'https://example.com/sandbox', profile_pic: 'https://example.com/me.png' };

/** Expects that a file has the schema of these items. After an intended change, run `npm run docs`. */
function expectSchema(file: string, items: readonly INodeExecutionData[]): void {
	const schema = schemaOf(items.map(({ json }) => json));
	const target = path.join(ROOT, SCHEMAS, file);
	const json = `${JSON.stringify(schema, null, 2)}\n`;
	// What is unchanged is not written: a build that is older than its source is of no use to other tests.
	if (process.env.UPDATE && !(existsSync(target) && readFileSync(target, 'utf8') === json)) {
		mkdirSync(path.dirname(target), { recursive: true });
		writeFileSync(target, json);
	}
	// The editor ignores a schema without properties.
	expect(Object.keys(schema.properties ?? {})).not.toHaveLength(0);
	expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(schema);
}

test.each(OPERATIONS)(
	'the fields that n8n offers before the first run of %s are those that it returns',
	async (...row) => {
		const [key, fields] = row;
		harness.sandbox.faults.add({ path: '/me', fault: jsonResponse({ status: true, info: INFO }) });
		const [resource, operation] = key.split(':');
		const { items, error } = await harness.runNode({ resource, operation, ...fields }, { credential: LIST_PATHS });
		expect(error).toBeUndefined();
		expectSchema(toFile(key), items);
	},
);

test('The fields of the trigger that n8n tells its AI builder are those of a link', async () => {
	await harness.restart({ links: [] });
	const trigger = harness.newTrigger();
	await trigger.activate('activate');
	for (const link of seededLinks) harness.sandbox.account.links.add(link);
	await trigger.poll();
	expectSchema(TRIGGER_FILE, trigger.executions.flat());
});

test('Every operation has the schema of its output, except Send Request, which returns what the service responds', () => {
	const files = operationsOf(node).map(({ key }) => toFile(key));
	expect([...schemaFiles(), toFile('api:request')].sort()).toEqual([TRIGGER_FILE, ...files].sort());
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeExecutionData, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { seededLinks } from '../../sandbox/seed';
import { useHarness } from '../support/harness';
import { schemaOf } from '../support/jsonSchema';
import { HOME, LIST_PATHS } from '../support/pages';

/** Where n8n finds the schemas: `v1.0.0/<resource>/<operation>.json`, and `v1.0.0.json` for a node without resources. */
const FOLDER = path.resolve(__dirname, '../../nodes/ProfilePage/__schema__');
const TRIGGER_FILE = 'v1.0.0.json';

const toFile = (resource: string, operation: string) => `v1.0.0/${resource}/${operation}.json`;

/** Send Request returns what the service responds to the request. */
const WITHOUT_SCHEMA = [toFile('api', 'request')];

const ORDER = [
	'65f1c0a2b3d4e4.42081523',
	'65f1c0a2b3d4e1.10481516',
	'65f1c0a2b3d4e3.16234204',
	'65f1c0a2b3d4e2.23420815',
];
const LINK = { linkId: '1' };

/** The operations, with what they need beside the defaults. */
const OPERATIONS: Array<[resource: string, operation: string, fields: INodeParameters]> = [
	['blocks', 'getAll', { pageId: HOME }],
	['blocks', 'move', { pageId: HOME, blocksToMove: [ORDER[0]!] }],
	['blocks', 'reorder', { pageId: HOME, blockOrder: 'value', blockIdsValue: ORDER }],
	['groups', 'getAll', {}],
	['links', 'create', { title: 'New single', url: 'https://example.com/single' }],
	['links', 'delete', LINK],
	['links', 'getAll', {}],
	['links', 'update', { ...LINK, updateFields: { title: 'Newsletter', url: 'https://example.com/news' } }],
	['me', 'getInfo', {}],
	['pages', 'getAll', {}],
];

/** The account of the sandbox has no picture. */
const INFO = { username: '@sandbox', url: 'https://example.com/sandbox', profile_pic: 'https://example.com/me.png' };

const harness = useHarness();

/** Expects that a file has the schema of these items. After an intended change, run `npm run docs`. */
function expectSchema(file: string, items: readonly INodeExecutionData[]): void {
	const schema = schemaOf(items.map(({ json }) => json));
	const target = path.join(FOLDER, file);
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
	'the fields that n8n offers before the first run of %s: %s are those that it returns',
	async (...row) => {
		const [resource, operation, fields] = row;
		if (operation === 'getInfo') {
			harness.sandbox.faults.add({ path: '/me', fault: jsonResponse({ status: true, info: INFO }) });
		}
		const { items, error } = await harness.runNode({ resource, operation, ...fields }, { credential: LIST_PATHS });
		expect(error).toBeUndefined();
		expectSchema(toFile(resource, operation), items);
	},
);

test('the fields of the trigger that n8n tells its AI builder are those of a link', async () => {
	await harness.restart({ links: [] });
	const trigger = harness.newTrigger();
	await trigger.activate('activate');
	for (const link of seededLinks) harness.sandbox.account.links.add(link);
	await trigger.poll();
	expectSchema(TRIGGER_FILE, trigger.executions.flat());
});

test('every operation has the schema of its output, except Send Request', () => {
	const { properties } = harness.loaded.nodeTypes.getByNameAndVersion(
		'n8n-nodes-profile-page.profilePage',
		1,
	).description;
	const files = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) => {
			const [resource] = displayOptions!.show!.resource as [string];
			return (options as INodePropertyOptions[]).map(({ value }) => toFile(resource, String(value)));
		});
	const shipped = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
	const schemas = shipped.filter((file) => file.endsWith('.json'));
	expect([...schemas, ...WITHOUT_SCHEMA].sort()).toEqual([TRIGGER_FILE, ...files].sort());
});

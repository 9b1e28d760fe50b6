import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { useEditor } from '../support/harness';
import { takePicture } from '../support/pictures';
import { until } from '../support/processes';
import { chain, manualTrigger, profilePage } from '../support/workflows';

const FOLDER = path.resolve(__dirname, '../../../nodes/ProfilePage/__schema__');

const TYPE = 'n8n-nodes-profile-page.profilePage';
/** n8n's AI builder reads it; the editor offers no fields of triggers that have not run. */
const TRIGGER = 'v1.0.0.json';
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

const harness = useEditor('n8n-output-schemas');

/** Returns the schema in a file, as this package ships it. */
const read = (file: string) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as { properties: object };

test.each(FILES)('n8n serves the fields in %s before anything has run', async (file) => {
	const type = file === TRIGGER ? `${TYPE}Trigger` : TYPE;
	const { baseUrl, rest } = harness.n8n;
	const served = await rest.page(`${baseUrl}/schemas/${type}/${file.replace(/^v/, '')}`);
	expect(JSON.parse(served)).toEqual(read(file));
});

test('a field that Links: Get Many returns can be dragged into the next node before anything has run', async () => {
	const { editor, n8n, sandbox } = harness;
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const links = profilePage(credential, { resource: 'links', operation: 'getAll' });
	const next = profilePage(credential, { resource: 'links', operation: 'create' }, { name: 'Next' });
	const { id } = await n8n.rest.createWorkflow(chain('Fields', manualTrigger, links, next));
	await editor.openWorkflow(id);
	await editor.openNode('Next');
	const fields = editor.byTestId('ndv-input-panel').locator('[data-test-id="run-data-schema-item"]');
	await fields.filter({ hasText: 'link_id' }).waitFor();
	const offered = (await fields.allTextContents()).map((field) => field.trim());
	expect(offered).toEqual(expect.arrayContaining(Object.keys(read('v1.0.0/links/getAll.json').properties)));
	await editor.dragColumn('title', 'title');
	await until('the expression is entered', async () => (await editor.panel.innerText()).includes('{{ $json.title }}'));
	await takePicture(editor.panel, 'fields-before-first-run');
	expect(sandbox.recorder.requests).toEqual([]);
});

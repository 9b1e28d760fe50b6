import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type LoadedPackage, loadPackage, stopEngine } from '../../runner';
import manifest from '../../package.json';

/** What n8n shows, and what saved workflows and credentials depend on. */
const FILE = path.join(__dirname, 'description.json');

// Outside the test: Stryker would run mutants of what is evaluated on loading with this test alone.
let loaded: LoadedPackage;
beforeAll(async () => (loaded = await loadPackage()));
afterAll(() => stopEngine());

// A changed name, type or default may break saved workflows. After an intended change, run
// `npm run build && UPDATE=1 npx jest description` and review the difference.
test('the descriptions of the nodes and their credentials match description.json', () => {
	const [node, trigger] = ['profilePage', 'profilePageTrigger'].map(
		(name) => loaded.nodeTypes.getByNameAndVersion(`n8n-nodes-profile-page.${name}`, 1).description,
	);
	const credentials = ['profilePageApi', 'profilePageOAuth2Api'].map((name) => loaded.credentialType(name));
	// n8n adds its own field to triggers that poll.
	const ownProperties = trigger!.properties.filter(({ name }) => name !== 'pollTimes');
	const types = { node, trigger: { ...trigger, properties: ownProperties }, credentials };
	const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	const described = JSON.stringify(types, null, 2).replaceAll(repository, 'https://REPOSITORY');
	if (process.env.UPDATE) writeFileSync(FILE, `${described}\n`);
	expect(JSON.parse(described)).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});

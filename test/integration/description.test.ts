import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { loadPackage, stopEngine } from '../../runner';

/** What n8n shows, and what saved workflows and credentials rest on. */
const FILE = path.join(__dirname, 'description.json');

afterAll(() => stopEngine());

// A changed name, type or default may break workflows that users have saved. After a change that is
// meant: npm run build && UPDATE=1 npx jest description, and read what changed.
test('the node and its credentials are described as before', async () => {
	const loaded = await loadPackage();
	const node = loaded.nodeTypes.getByNameAndVersion('n8n-nodes-profile-page.profilePage', 1);
	const credentials = ['profilePageApi', 'profilePageOAuth2Api'].map((name) =>
		loaded.credentialType(name),
	);
	const described = JSON.stringify({ node: node.description, credentials }, null, 2);
	if (process.env.UPDATE) writeFileSync(FILE, `${described}\n`);
	expect(JSON.parse(described)).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});

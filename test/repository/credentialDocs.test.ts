import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ProfilePageApi } from '../../credentials/ProfilePageApi.credentials';
import { ProfilePageOAuth2Api } from '../../credentials/ProfilePageOAuth2Api.credentials';

const page = readFileSync(path.resolve(__dirname, '../../docs/credentials.md'), 'utf8');

test.each([new ProfilePageApi(), new ProfilePageOAuth2Api()])(
	'the dialog of $displayName links to a section of docs/credentials.md',
	({ documentationUrl }) => {
		const section = new URL(documentationUrl).hash.slice(1).replaceAll('-', ' ');
		expect(page.toLowerCase()).toContain(`\n## ${section}\n`);
	},
);

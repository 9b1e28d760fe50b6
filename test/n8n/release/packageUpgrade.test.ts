import type { Sandbox } from '../../../sandbox/server';
import { GET_INFO } from '../../support/parameters';
import { openBrowser } from '../support/browser';
import { Editor } from '../support/editor';
import { N8n } from '../support/n8n';
import { installedVersion, installPackage } from '../support/packageUnderTest';
import { testUpgrade } from '../support/upgrade';
import { profilePage, publicProfilePage } from '../support/workflows';

/** Returns the path of a tarball, which the rehearsal of a release names in an environment variable. */
function tarball(variable: 'PREVIOUS_TARBALL' | 'NEXT_TARBALL'): string {
	const file = process.env[variable];
	if (!file) throw new Error(`${variable} is not set. Run: node scripts/release.mjs rehearse`);
	return file;
}

const tarballs = { previous: tarball('PREVIOUS_TARBALL'), next: tarball('NEXT_TARBALL') };

/** Adds the credential of a public app that is connected to the account. */
async function addConnectedApp(n8n: N8n, sandbox: Sandbox) {
	const credential = await n8n.rest.addPublicApp(sandbox);
	const browser = await openBrowser();
	try {
		await (await Editor.open(browser, n8n)).connectPublicApp(credential);
	} finally {
		await browser.close();
	}
	return credential;
}

describe('An n8n in which the previous version is replaced', () => {
	testUpgrade({
		create: async () => await N8n.create({ name: 'release-upgrade', tarball: tarballs.previous }),
		addNodes: async (n8n, sandbox, credential) => ({
			'public-info': publicProfilePage(await addConnectedApp(n8n, sandbox), GET_INFO),
			// Of a group to which no link is added. Before the first release, Simplify was off by default.
			links: profilePage(credential, {
				resource: 'links',
				operation: 'getAll',
				simplify: false,
				filters: { groupId: '2' },
			}),
			groups: profilePage(credential, { resource: 'groups', operation: 'getAll' }),
		}),
		upgrade: ({ userFolder }) => {
			const previous = installedVersion(userFolder);
			installPackage(userFolder, tarballs.next);
			expect(installedVersion(userFolder)).not.toBe(previous);
		},
	});
});

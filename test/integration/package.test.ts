import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { type INodeTypeDescription, Workflow } from 'n8n-workflow';

import { CredentialStore, type LoadedPackage, loadPackage, stopEngine } from '../../runner';
import manifest from '../../package.json';

const ROOT = path.resolve(__dirname, '../..');

const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** What each operation returns. */
const SCHEMAS = 'nodes/ProfilePage/__schema__';

let loaded: LoadedPackage;
let node: INodeTypeDescription;
let trigger: INodeTypeDescription;
beforeAll(async () => {
	loaded = await loadPackage();
	const { nodeTypes } = loaded;
	const descriptionOf = (name: string) =>
		nodeTypes.getByNameAndVersion(`n8n-nodes-profile-page.${name}`, 1).description;
	node = descriptionOf('profilePage');
	trigger = descriptionOf('profilePageTrigger');
});
afterAll(() => stopEngine());

describe('The package', () => {
	test('contains what n8n needs and nothing else', () => {
		const printed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [{ files }] = JSON.parse(printed) as [{ files: Array<{ path: string }> }];
		const paths = files.map((file) => file.path);
		const listed = readdirSync(path.join(ROOT, SCHEMAS), { recursive: true, encoding: 'utf8' });
		const schemas = listed.filter((file) => file.endsWith('.json'));
		expect(schemas).not.toHaveLength(0);
		expect(paths).toEqual(
			expect.arrayContaining([
				'LICENSE',
				'README.md',
				'package.json',
				...manifest.n8n.nodes,
				...manifest.n8n.credentials,
				'dist/nodes/ProfilePage/ProfilePage.node.json',
				...schemas.map((file) => `dist/${SCHEMAS}/${file}`),
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

/** The credentials of a node, with the kind of app that each is for. */
const credentialsOf = ({ credentials }: INodeTypeDescription) =>
	credentials?.map(({ name, displayOptions }) => [name, displayOptions?.show]);

const CREDENTIALS = [
	['profilePageApi', { authentication: ['clientCredentials'] }],
	['profilePageOAuth2Api', { authentication: ['oAuth2'] }],
];

describe('The node', () => {
	test.each([
		['blocks', 'reorder', 'Reorder Blocks'],
		['me', 'getInfo', 'Get Info: Me'],
	])('has a subtitle in plain words for %s: %s', (resource, operation, words) => {
		const { nodeTypes } = loaded;
		const type = 'n8n-nodes-profile-page.profilePage';
		const parameters = { resource, operation };
		const saved = {
			id: '1',
			name: 'Node',
			type,
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters,
		};
		const workflow = new Workflow({ nodes: [saved], connections: {}, active: false, nodeTypes });
		const shown = workflow.expression.getSimpleParameterValue(saved, node.subtitle, 'internal', {});
		expect(shown).toBe(words);
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
		expect(node.iconUrl).toEqual(ICONS);
		expect(loaded.credentialType('profilePageApi').iconUrl).toEqual(ICONS);
		expect(loaded.credentialType('profilePageOAuth2Api').iconUrl).toEqual(ICONS);
	});

	test('can be used by AI agents, with a sentence for each operation', () => {
		expect(node.usableAsTool).toBe(true);
		const actions = node.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options as Array<{ action: string }>)
			.map(({ action }) => action);
		expect(actions).not.toHaveLength(0);
		for (const action of actions) {
			expect(action.replace('API', 'api')).toMatch(/^[A-Z][^A-Z]+[^.]$/);
		}
	});

	test('has a credential for each kind of app, and uses a private app by default', () => {
		const field = node.properties.find(({ name }) => name === 'authentication')!;
		expect(field.default).toBe('clientCredentials');
		expect(credentialsOf(node)).toEqual(CREDENTIALS);
	});
});

describe('The trigger', () => {
	test('is not offered to AI agents as a tool', () => {
		expect(trigger.usableAsTool).toBeUndefined();
	});
});

describe.each(['profilePageApi', 'profilePageOAuth2Api'])('The dialog of the credential %s', (name) => {
	test('shows the Base URL first, then where an app is created, then its client ID and its secret', () => {
		const fields = new CredentialStore(loaded).getCredentialsProperties(name);
		const shown = fields
			.filter(({ type, doNotInherit, displayOptions }) => {
				return type !== 'hidden' && !doNotInherit && !displayOptions;
			})
			.map((field) => field.name);
		expect(shown.slice(0, 4)).toEqual(['baseUrl', 'appNotice', 'clientId', 'clientSecret']);
	});

	test('links to its section in the documentation of the repository', () => {
		const { documentationUrl } = loaded.credentialType(name);
		expect(documentationUrl).toMatch(`${REPOSITORY}/blob/HEAD/docs/credentials.md#`);
	});
});

describe('The credential of a private app', () => {
	test('hides the secret, the token and what is stored with it from the browser', () => {
		const masked = loaded
			.credentialType('profilePageApi')
			.properties.filter(({ typeOptions }) => typeOptions?.password)
			.map(({ name }) => name);
		expect(masked).toEqual([
			'clientSecret',
			'accessToken',
			'accessTokenBinding',
			'accessTokenIssuedAt',
			'accessTokenExpiresAt',
		]);
	});
});

import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	INode,
	INodeCredentialsDetails,
} from 'n8n-workflow';

import { CredentialStore, type LoadedPackage, loadPackage, stopEngine, testCredential } from '../../runner';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { jsonResponse, statusFault } from '../../sandbox/faults';

const hidden = (name: string, expirable = false) => ({
	displayName: name,
	name,
	type: 'hidden' as const,
	typeOptions: { expirable },
	default: '',
});

/** A credential type that gets the tokens `new 1`, `new 2` and so on. */
function tokenType(): ICredentialType {
	let issued = 0;
	return {
		name: 'tokenApi',
		displayName: 'Token API',
		properties: [hidden('token', true), hidden('url'), hidden('account')],
		preAuthentication() {
			issued += 1;
			return Promise.resolve({ token: `new ${issued}`, url: 'resolved', account: 'me' });
		},
		authenticate: (credentials, request) =>
			Promise.resolve({
				...request,
				headers: { ...request.headers, authorization: `Bearer ${credentials.token as string}` },
			}),
		test: {
			request: { baseURL: '={{ $credentials.url }}', url: '/oauth/v1/test' },
			rules: [
				{
					type: 'responseSuccessBody',
					properties: { key: 'info.isBlocked', value: true, message: 'The account is blocked' },
				},
			],
		},
	};
}

let loaded: LoadedPackage;
let store: CredentialStore;
beforeEach(async () => {
	const type = tokenType();
	loaded = { ...(await loadPackage()), credentialType: () => type };
	store = new CredentialStore(loaded);
});
afterAll(stopEngine);

const helpers = { helpers: {} } as IHttpRequestHelper;

function nodeWith(reference: INodeCredentialsDetails, overrides: Partial<INode> = {}): INode {
	return {
		id: 'node',
		name: 'Node',
		type: 'test.node',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { tokenApi: reference },
		...overrides,
	};
}

async function preAuthenticate(
	stored: ICredentialDataDecryptedObject,
	{ isExpired = false, node = {} }: { isExpired?: boolean; node?: Partial<INode> } = {},
) {
	const reference = store.add('tokenApi', stored);
	const used = { ...stored };
	const returned = await store.preAuthentication(helpers, used, 'tokenApi', nodeWith(reference, node), isExpired);
	return { returned, used, stored: store.read(reference) };
}

describe('CredentialStore.preAuthentication', () => {
	test('runs when the expirable property is empty, and stores all returned fields', async () => {
		const { used, stored } = await preAuthenticate({ token: '', url: 'x', extra: 'kept' });
		expect(stored).toEqual({ token: 'new 1', url: 'resolved', account: 'me', extra: 'kept' });
		expect(used).toEqual(stored);
	});

	test('does not run with a stored token that has not expired', async () => {
		const { returned, stored } = await preAuthenticate({ token: 'good' });
		expect(returned).toBeUndefined();
		expect(stored).toEqual({ token: 'good' });
	});

	test('runs when the token has expired', async () => {
		const { stored } = await preAuthenticate({ token: 'old' }, { isExpired: true });
		expect(stored.token).toBe('new 1');
	});

	test('keeps stored expressions, except that of the token', async () => {
		const expressions = { token: '={{ "old" }}', url: '={{ $vars.url }}' };
		const { used, stored } = await preAuthenticate(expressions, { isExpired: true });
		expect(stored).toEqual({ token: 'new 1', url: '={{ $vars.url }}', account: 'me' });
		expect(used.url).toBe('resolved');
	});

	test('stores nothing for a node without credentials', async () => {
		const { returned, stored } = await preAuthenticate({ token: '' }, { node: { credentials: undefined } });
		expect(returned).toBeUndefined();
		expect(stored).toEqual({ token: '' });
	});
});

test('CredentialStore.runPreAuthentication returns the fields without storing them', async () => {
	const reference = store.add('tokenApi', { token: 'good' });
	const returned = await store.runPreAuthentication(helpers, store.read(reference), 'tokenApi');
	expect(returned).toEqual({ token: 'new 1', url: 'resolved', account: 'me' });
	expect(store.read(reference)).toEqual({ token: 'good' });
});

describe('testCredential', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.recorder.reset();
		sandbox.faults.clear();
	});

	async function run(fields: ICredentialDataDecryptedObject, edited?: typeof fields) {
		const reference = store.add('tokenApi', { url: sandbox.baseUrl, ...fields });
		const result = await testCredential(loaded, store, 'tokenApi', reference, edited);
		const bearers = sandbox.recorder.calls.map(({ headers }) => headers.authorization);
		return { result, bearers };
	}

	test('uses the stored token', async () => {
		sandbox.faults.add({ fault: jsonResponse({}) });
		const { result, bearers } = await run({ token: 'good' });
		expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(bearers).toEqual(['Bearer good']);
	});

	test('gets a token when none is stored', async () => {
		sandbox.faults.add({ fault: jsonResponse({}) });
		expect((await run({})).bearers).toEqual(['Bearer new 1']);
	});

	test('repeats the request with a new token after a 401', async () => {
		sandbox.faults.add({ fault: statusFault(401), times: 1 });
		sandbox.faults.add({ fault: jsonResponse({}) });
		expect((await run({ token: 'old' })).bearers).toEqual(['Bearer old', 'Bearer new 1']);
	});

	test('resolves expressions in edited fields', async () => {
		sandbox.faults.add({ fault: jsonResponse({}) });
		const { bearers } = await run({ token: 'good' }, { token: '={{ "ed" + "ited" }}' });
		expect(bearers).toEqual(['Bearer edited']);
	});

	test('applies a rule to the value at its path in the response', async () => {
		sandbox.faults.add({ fault: jsonResponse({ info: { isBlocked: true } }) });
		const { result } = await run({ token: 'good' });
		expect(result).toEqual({ status: 'Error', message: 'The account is blocked' });
	});
});

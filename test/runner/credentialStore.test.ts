import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	INode,
	INodeCredentialsDetails,
} from 'n8n-workflow';

import { CredentialStore, loadPackage, stopEngine } from '../../runner';

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
	};
}

let store: CredentialStore;
beforeEach(async () => {
	const type = tokenType();
	store = new CredentialStore({ ...(await loadPackage()), credentialType: () => type });
});
afterAll(stopEngine);

const helpers = { helpers: {} } as IHttpRequestHelper;

const nodeWith = (tokenApi: INodeCredentialsDetails) => ({ credentials: { tokenApi } }) as unknown as INode;

async function preAuthenticate(stored: ICredentialDataDecryptedObject, isExpired = false) {
	const reference = store.add('tokenApi', stored);
	const used = { ...stored };
	const returned = await store.preAuthentication(helpers, used, 'tokenApi', nodeWith(reference), isExpired);
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

	test('runs when the token has expired, and keeps stored expressions, except that of the token', async () => {
		const expressions = { token: '={{ "old" }}', url: '={{ $vars.url }}' };
		const { used, stored } = await preAuthenticate(expressions, true);
		expect(stored).toEqual({ token: 'new 1', url: '={{ $vars.url }}', account: 'me' });
		expect(used.url).toBe('resolved');
	});
});

import type { IExecuteFunctions } from 'n8n-workflow';

import type { CredentialData } from '../../../nodes/ProfilePage/n8n/apps/app';
import { loadCredential, loadInput } from '../../../nodes/ProfilePage/n8n/credential';
import { privateApp } from '../../../nodes/ProfilePage/n8n/apps/privateApp';
import { publicApp } from '../../../nodes/ProfilePage/n8n/apps/publicApp';
import { STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { resultOf } from '../../support/results';

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

interface FakeNode {
	data?: CredentialData;
	/** Returns the fields that are resolved for an item. */
	resolve?: (this: { connectionInputData: object[] }, itemIndex: number) => CredentialData;
	type?: string;
	authentication?: string;
	credentialId?: string;
	continueOnFail?: boolean;
	signal?: AbortSignal;
}

/** A node that runs, without n8n. */
function contextOf({
	data = app,
	resolve = () => data,
	type = 'profilePage',
	authentication,
	credentialId = '1',
	continueOnFail = false,
	signal,
}: FakeNode): IExecuteFunctions {
	const items = ['first', 'second'].map((name) => ({ json: { name } }));
	return {
		connectionInputData: items,
		getNode: () => ({
			type,
			parameters: { authentication },
			credentials: {
				[privateApp.credentialType]: { id: credentialId },
				[publicApp.credentialType]: { id: credentialId },
			},
		}),
		getInputData: () => items,
		continueOnFail: () => continueOnFail,
		getExecutionCancelSignal: () => signal,
		getCredentials(this: { connectionInputData: object[] }, _type: string, itemIndex: number) {
			return Promise.resolve(resolve.call(this, itemIndex));
		},
	} as unknown as IExecuteFunctions;
}

const connected = { ...app, oauthTokenData: { access_token: 'token', refresh_token: 'refresh' } };

describe('The credential of a node', () => {
	test.each([
		[undefined, privateApp],
		['clientCredentials', privateApp],
		['oAuth2', publicApp],
	])('is that of the app that Authentication %j names', async (authentication, kind) => {
		const context = contextOf({ authentication, data: connected });
		expect((await resultOf(loadCredential(context, 0))).app).toBe(kind);
	});

	test('contains its token, and what no message may repeat', async () => {
		const context = contextOf({ authentication: 'oAuth2', data: connected });
		const { token, secrets, binding } = await resultOf(loadCredential(context, 0));
		expect(token).toMatchObject({ value: 'token', renewAt: Infinity, isAccepted: true });
		const basic = Buffer.from('id:secret').toString('base64');
		expect(secrets).toEqual(expect.arrayContaining(['secret', basic, 'token', 'refresh']));
		expect(binding).toBe(publicApp.bindingOf(connected));
	});

	test('has no token, and fewer secrets, before the first one is granted', async () => {
		const { token, secrets } = await resultOf(loadCredential(contextOf({}), 0));
		expect(token).toBeUndefined();
		expect(secrets).toEqual(['secret', Buffer.from('id:secret').toString('base64')]);
	});

	test.each<[string, FakeNode]>([
		['Base URL', { data: { ...app, baseUrl: 'https://example.org' } }],
		['Client ID', { data: { ...app, clientId: 'other' } }],
		['credential in n8n', { credentialId: '2' }],
		['kind of app', { authentication: 'oAuth2', data: connected }],
	])('has another identity with another %s', async (_what, change) => {
		const [one, other] = [contextOf({}), contextOf(change)];
		const identities = [await resultOf(loadCredential(one, 0)), await resultOf(loadCredential(other, 0))];
		expect(identities[0]!.id).not.toBe(identities[1]!.id);
	});

	test('keeps its identity with a new Client Secret, or the same Base URL in other letters', async () => {
		const data = { ...app, clientSecret: 'other', baseUrl: ' HTTPS://EXAMPLE.com/ ' };
		const { id } = await resultOf(loadCredential(contextOf({ data }), 0));
		expect(id).toBe((await resultOf(loadCredential(contextOf({}), 0))).id);
	});

	test('is rejected if its Base URL is invalid, or no account is connected', async () => {
		const invalid = { ...app, baseUrl: 'http://example.com' };
		await expect(resultOf(loadCredential(contextOf({ data: invalid }), 0))).rejects.toThrow('Base URL: ');
		const notConnected = contextOf({ authentication: 'oAuth2' });
		await expect(resultOf(loadCredential(notConnected, 0))).rejects.toThrow('no account is connected');
	});
});

/** Reads the credentials of two items, and returns the item that each was read for, or why it cannot be used. */
async function itemsRead(node: FakeNode): Promise<unknown[]> {
	const input = await loadInput(contextOf(node));
	return input.map(({ credential }) =>
		credential.outcome === 'done' ? credential.result.itemIndex : credential.problem,
	);
}

describe('The credential of an item', () => {
	/** An expression, for which n8n reads the item. */
	const expression: FakeNode['resolve'] = function () {
		return { ...connected, clientId: JSON.stringify(this.connectionInputData[0]) };
	};

	test.each<[string, FakeNode, number[]]>([
		['that of the first item if it has no expressions', {}, [0, 0]],
		['that of its own item if it has expressions', { resolve: expression }, [0, 1]],
		[
			'that of the first item for a public app, which has one account',
			{ resolve: expression, authentication: 'oAuth2' },
			[0, 0],
		],
		['that of its own item in a tool, whose expressions are left to n8n', { type: 'profilePageTool' }, [0, 1]],
	])('is %s', async (_which, node, items) => {
		expect(await itemsRead(node)).toEqual(items);
	});

	test.each([true, false])(
		'if it cannot be used, is an error of that item (Continue on Fail: %p)',
		async (continueOnFail) => {
			const resolve: FakeNode['resolve'] = (itemIndex) => (itemIndex === 0 ? { ...app, baseUrl: '' } : app);
			const node = { resolve, continueOnFail, type: 'profilePageTool' };
			expect(await itemsRead(node)).toEqual(['Base URL: the value is empty', 1]);
		},
	);

	test('that cannot be used is read once if it has no expressions and the node does not continue on fail', async () => {
		const node = { resolve: jest.fn(() => ({ ...app, baseUrl: '' })) };
		expect(await itemsRead(node)).toEqual(Array(2).fill('Base URL: the value is empty'));
		expect(node.resolve).toHaveBeenCalledTimes(1);
	});

	test('is not read once the execution is canceled', async () => {
		const node = { resolve: jest.fn(expression), signal: AbortSignal.abort() };
		expect(await itemsRead(node)).toEqual([STOPPED.problem, STOPPED.problem]);
		expect(node.resolve).toHaveBeenCalledTimes(1);
	});
});

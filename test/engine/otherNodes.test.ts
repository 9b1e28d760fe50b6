import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { describePlainNode, runWorkflow } from '../../engine';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { oneNodeWorkflow, profilePageNode, Stage } from '../support/stage';

/** A node that sends requests as n8n's HTTP Request node does: by n8n's older request helper. */
const httpRequest = (uri: string): INodeType => ({
	description: describePlainNode('httpRequest', {
		credentials: [{ name: 'profilePageApi', required: true }],
	}),
	async execute(this: IExecuteFunctions) {
		const answer: unknown = await this.helpers.requestWithAuthentication.call(
			this,
			'profilePageApi',
			{
				uri,
				json: true,
				followRedirect: true,
				followAllRedirects: true,
			},
		);
		return [[{ json: { answer: answer as string }, pairedItem: { item: 0 } }]];
	},
});

let stage: Stage;
let elsewhere: Sandbox;
beforeAll(async () => {
	stage = await Stage.open();
	elsewhere = await startSandbox();
});
afterAll(async () => {
	await elsewhere.close();
	await stage.close();
});
beforeEach(() => stage.reset());

async function requestWithCredential() {
	const store = stage.newStore();
	const node = profilePageNode(
		{},
		{ type: 'test.httpRequest', credentials: { profilePageApi: stage.addCredential(store) } },
	);
	const nodeType = httpRequest(`${stage.sandbox.baseUrl}/oauth/v1/me`);
	const { nodeTypes } = stage.loaded;
	const loaded = {
		...stage.loaded,
		nodeTypes: {
			...nodeTypes,
			getByNameAndVersion: (type: string, version?: number) =>
				type === 'test.httpRequest' ? nodeType : nodeTypes.getByNameAndVersion(type, version),
		},
	};
	const { resultData } = (await runWorkflow(loaded, store, oneNodeWorkflow(node))).data;
	return {
		error: resultData.error,
		json: resultData.runData[node.name]?.[0]?.data?.main?.[0]?.[0]?.json,
	};
}

test('the HTTP Request node can use the credential', async () => {
	const { error, json } = await requestWithCredential();
	expect(error).toBeUndefined();
	expect(json).toMatchObject({ answer: { status: true, info: { username: '@sandbox' } } });
	expect(stage.sandbox.recorder.grants).toBe(1);
});

test('it follows no redirect with the token, though it is set to', async () => {
	const location = `${elsewhere.baseUrl}/oauth/v1/me`;
	stage.sandbox.faults.add({ path: '/me', fault: { status: 302, headers: { location } } });
	const { error } = await requestWithCredential();
	expect(error).toBeDefined();
	expect(elsewhere.recorder.requests).toEqual([]);
});

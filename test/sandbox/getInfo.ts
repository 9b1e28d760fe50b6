/**
 * Runs the node with each Base URL of the command line in n8n's engine, and prints the outputs or
 * errors as JSON. It is a program because Node.js reads NODE_EXTRA_CA_CERTS when it starts.
 */
import { CredentialStore, type LoadedPackage, loadPackage, runWorkflow, stopEngine, useCredential } from '../../runner';
import { seededApp } from '../../sandbox/seed';

const node = {
	id: 'node',
	name: 'Node',
	type: 'n8n-nodes-profile-page.profilePage',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: { resource: 'me', operation: 'getInfo', options: { maxRetries: 0 } },
	credentials: { profilePageApi: { id: null, name: '' } },
};

async function getInfo(loaded: LoadedPackage, baseUrl: string): Promise<unknown> {
	const store = new CredentialStore(loaded);
	const credential = store.add('profilePageApi', { baseUrl, ...seededApp });
	const workflow = useCredential({ nodes: [node], connections: {} }, 'profilePageApi', credential);
	const { error, runData } = (await runWorkflow(loaded, store, workflow)).data.resultData;
	if (error) return { message: error.message, description: error.description };
	return runData[node.name]?.[0]?.data?.main?.[0]?.map(({ json }) => json);
}

async function main(baseUrls: readonly string[]): Promise<void> {
	const loaded = await loadPackage();
	const outputs = [];
	for (const baseUrl of baseUrls) outputs.push(await getInfo(loaded, baseUrl));
	stopEngine();
	console.log(JSON.stringify(outputs));
}

void main(process.argv.slice(2));

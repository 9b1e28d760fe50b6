import { rmSync } from 'node:fs';
import path from 'node:path';

import { type JestWorkerFarm, Worker } from 'jest-worker';

import { N8n } from '../test/n8n/support/n8n';
import { packPackage } from '../test/n8n/support/packageUnderTest';
import { logFolder } from '../test/n8n/support/processes';
import { installBaseline } from './baselinePackage';
import type { ServiceAddress } from './service';

/** The name of n8n's log. */
const NAME = 'n8n-bench';

/** Everything that the benchmark runs, each in its own process. */
export interface Harness {
	readonly n8n: N8n;
	readonly service: JestWorkerFarm<typeof import('./service')>;
	readonly bareClient: JestWorkerFarm<typeof import('./bareClientProcess')>;
	readonly address: ServiceAddress;
	/** For clients that do not request a token themselves. */
	readonly accessToken: string;
}

/** Starts everything, calls `use`, and stops everything. */
export async function withHarness(use: (harness: Harness) => Promise<void>): Promise<void> {
	rmSync(path.join(logFolder, `${NAME}.log`), { force: true });
	packPackage();
	const service = startProcess('service.ts', [
		'address',
		'setLatency',
		'revokeTokens',
		'startRun',
		'finishRun',
	]) as Harness['service'];
	const bareClient = startProcess('bareClientProcess.ts', ['send']) as Harness['bareClient'];
	// The largest workloads exceed n8n's default of 16 MiB.
	const n8n = await N8n.create({ name: NAME, env: { N8N_PAYLOAD_SIZE_MAX: '64' } });
	try {
		installBaseline(n8n.userFolder);
		await n8n.start();
		await n8n.rest.setUpOwner();
		const address = await service.address();
		const accessToken = await getToken(address);
		await use({ n8n, service, bareClient, address, accessToken });
	} finally {
		await n8n.remove();
		await Promise.all([service.end(), bareClient.end()]);
	}
}

function startProcess(file: string, exposedMethods: string[]): Worker {
	return new Worker(path.join(__dirname, file), { exposedMethods, numWorkers: 1 });
}

/** Restarts n8n with its stored data. */
export async function restartN8n({ n8n }: Harness): Promise<void> {
	await n8n.stop();
	await n8n.start();
	await n8n.rest.signIn();
}

async function getToken({ baseUrl, clientId, clientSecret }: ServiceAddress): Promise<string> {
	const app = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const response = await fetch(`${baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { authorization: `Basic ${app}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
	});
	const { access_token: token } = (await response.json()) as { access_token?: string };
	if (!token) throw new Error(`The token request failed with status ${response.status}`);
	return token;
}

import { rmSync } from 'node:fs';
import path from 'node:path';

import { N8n } from '../test/n8n/support/n8n';
import { packPackage } from '../test/n8n/support/packageUnderTest';
import { logFolder } from '../test/n8n/support/processes';
import type { BareClient } from './bareClient';
import { installBaseline } from './baselinePackage';
import { SideProcess } from './processCalls';
import type { Service, ServiceAddress } from './service';

/** Names the log of n8n. */
const NAME = 'n8n-bench';

/** All that the benchmark runs, each in a process of its own. */
export interface Harness {
	readonly n8n: N8n;
	readonly service: SideProcess<Service>;
	readonly bareClient: SideProcess<BareClient>;
	readonly address: ServiceAddress;
	/** For clients that do not get a token by themselves. */
	readonly accessToken: string;
}

/** Starts everything, does this work, and ends everything. */
export async function onStage<T>(work: (harness: Harness) => Promise<T>): Promise<T> {
	rmSync(path.join(logFolder, `${NAME}.log`), { force: true });
	packPackage();
	const service = new SideProcess<Service>(path.join(__dirname, 'service.ts'));
	const bareClient = new SideProcess<BareClient>(path.join(__dirname, 'bareClient.ts'));
	// The largest jobs do not fit into the 16 MiB that n8n takes by default.
	const n8n = await N8n.create({ name: NAME, env: { N8N_PAYLOAD_SIZE_MAX: '64' } });
	try {
		installBaseline(n8n.userFolder);
		await n8n.start();
		await n8n.rest.setUpOwner();
		const address = await service.call('address', undefined);
		const accessToken = await getToken(address);
		return await work({ n8n, service, bareClient, address, accessToken });
	} finally {
		await n8n.remove();
		await Promise.all([service.end(), bareClient.end()]);
	}
}

/** Starts n8n anew, with all that it has stored. */
export async function restartN8n({ n8n }: Harness): Promise<void> {
	await n8n.stop();
	await n8n.start();
	await n8n.rest.signIn();
}

async function getToken({ baseUrl, clientId, clientSecret }: ServiceAddress): Promise<string> {
	const app = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const answer = await fetch(`${baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { authorization: `Basic ${app}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
	});
	const { access_token: token } = (await answer.json()) as { access_token?: string };
	if (!token) throw new Error(`The service gave no token: ${answer.status}`);
	return token;
}

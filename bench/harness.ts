import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type JestWorkerFarm, Worker } from 'jest-worker';
import { Agent, fetch } from 'undici';

import { N8n } from '../test/n8n/support/n8n';
import { packPackage } from '../test/n8n/support/packageUnderTest';
import { logFolder } from '../test/n8n/support/processes';
import { installBaseline } from './baselinePackage';
import type { ServiceAddress } from './service';

/** The name of n8n's log. */
const NAME = 'n8n-bench';

type Service = JestWorkerFarm<typeof import('./service')>;

/** A service and n8n, each in its own process. */
export interface Harness {
	readonly n8n: N8n;
	readonly service: Service;
	readonly address: ServiceAddress;
	/** For the baseline, which does not request a token itself. */
	readonly accessToken: string;
}

/** The same n8n with a service that uses plain http, and with one that uses TLS. */
export interface Harnesses {
	readonly http: Harness;
	readonly tls: Harness;
}

/** Starts everything, calls `use`, and stops everything. */
export async function withHarnesses(use: (harnesses: Harnesses) => Promise<void>): Promise<void> {
	rmSync(path.join(logFolder, `${NAME}.log`), { force: true });
	packPackage();
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-bench-'));
	const services = [startService({ tls: false }), startService({ tls: true })] as const;
	let startedN8n: N8n | undefined;
	try {
		const { certificate = '' } = await services[1].address();
		// Clients trust the certificate, so that they verify it as they verify any other.
		const certificateFile = path.join(folder, 'service.pem');
		writeFileSync(certificateFile, certificate);
		const env = { NODE_EXTRA_CA_CERTS: certificateFile };
		// The largest workloads exceed n8n's default of 16 MiB.
		const n8nEnv = { ...env, N8N_PAYLOAD_SIZE_MAX: '64' };
		const n8n = (startedN8n = await N8n.create({ name: NAME, env: n8nEnv }));
		installBaseline(n8n.userFolder);
		await n8n.start();
		await n8n.rest.setUpOwner();
		const connect = async (service: Service): Promise<Harness> => {
			const address = await service.address();
			const accessToken = await requestToken(address);
			return { n8n, service, address, accessToken };
		};
		await use({ http: await connect(services[0]), tls: await connect(services[1]) });
	} finally {
		await startedN8n?.remove();
		await Promise.all(services.map(async (process) => await process.end()));
		rmSync(folder, { recursive: true });
	}
}

function startService(options: { tls: boolean }): Service {
	return new Worker(path.join(__dirname, 'service.ts'), {
		exposedMethods: [
			'address',
			'setLatency',
			'revokeTokens',
			'failOnce',
			'limit',
			'unlimit',
			'firstRejection',
			'addLinks',
			'startRun',
			'finishRun',
		],
		numWorkers: 1,
		setupArgs: [options],
	}) as Worker & Service;
}

async function requestToken({ baseUrl, clientId, clientSecret, certificate }: ServiceAddress): Promise<string> {
	const app = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const response = await fetch(`${baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { authorization: `Basic ${app}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
		dispatcher: new Agent({ connect: { ca: certificate } }),
	});
	const { access_token: token } = (await response.json()) as { access_token?: string };
	if (!token) throw new Error(`The token request failed with status ${response.status}`);
	return token;
}

/** Restarts n8n with its stored data. */
export async function restartN8n({ n8n }: Harness): Promise<void> {
	await n8n.stop();
	await n8n.start();
	await n8n.rest.signIn();
}

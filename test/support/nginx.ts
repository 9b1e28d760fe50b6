import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import { freePort } from '../n8n/support/processes';
import { locate, nginx } from '../n8n/support/programs';

/** `npm run setup:n8n` installs it. */
export const hasNginx = nginx.find() !== undefined;

/** Directives by the name of a limit: those of its zone, and those that apply it. */
export type NginxLimits = Readonly<Record<string, { readonly zone: string; readonly apply: string }>>;

/**
 * Starts nginx in front of a service: `/<name>` is the service with that limit, which does not apply to token requests.
 */
export async function startNginx(service: string, limits: NginxLimits) {
	const folder = mkdtempSync(path.join(tmpdir(), 'nginx-'));
	const port = await freePort();
	writeFileSync(path.join(folder, 'nginx.conf'), configure(service, limits, port));
	const server = spawn(locate(nginx), ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' });
	const closed = once(server, 'close');
	const origin = `http://127.0.0.1:${port}`;
	await untilReady(origin);
	return {
		baseUrlOf: (name: string) => `${origin}/${name}`,
		/** Stops it, and returns the paths of all requests that it has rejected. */
		async stop(): Promise<string[]> {
			server.kill();
			await closed;
			const lines = readFileSync(path.join(folder, 'access.log'), 'utf8').split('\n');
			rmSync(folder, { recursive: true });
			return lines.filter((line) => /^(?:429|503) /.test(line)).map((line) => line.slice(4));
		},
	};
}

function configure(service: string, limits: NginxLimits, port: number): string {
	const zones = Object.values(limits).map(({ zone }) => `${zone};`);
	const locations = Object.entries(limits).map(
		([name, { apply }]) => `
		location /${name}/ { proxy_pass ${service}/; }
		location /${name}/oauth/v1/ { ${apply}; proxy_pass ${service}/oauth/v1/; }`,
	);
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
	return `daemon off; master_process off; pid nginx.pid; events {}
http {
	log_format status '$status $uri'; access_log access.log status;
	${temporary.join(' ')}
	${zones.join('\n\t')}
	server { listen 127.0.0.1:${port}; location / { return 204; } ${locations.join('')}
	}
}
`;
}

async function untilReady(origin: string): Promise<void> {
	for (let attempt = 0; attempt < 200; attempt += 1) {
		try {
			await request(origin);
			return;
		} catch {
			await wait(25);
		}
	}
	throw new Error('nginx did not start');
}

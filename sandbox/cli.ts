import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { faultOf, namedFaults } from './faults';
import { redirectUriCheck } from './oauth/authorization';
import { type Sandbox, startSandbox } from './server';

interface Flags {
	port: number;
	host: string;
	hostName?: string[];
	certificate?: string;
	redirectUri?: string[];
	/** The kind of failure, for `faultOf`. */
	fail?: string;
	failPath?: string;
	failTimes?: number;
}

function readNumber(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new InvalidArgumentError('Enter a whole number.');
}

function readFault(text: string): string {
	if (faultOf(text)) return text;
	throw new InvalidArgumentError(`Enter an HTTP status or one of ${Object.keys(namedFaults).join(', ')}.`);
}

function readUris(text: string, previous: string[] = []): string[] {
	if (redirectUriCheck([text])(text)) return [...previous, text];
	throw new InvalidArgumentError('Enter an absolute http or https URL without a fragment.');
}

/** Parses the flags of this process. Invalid flags end the process with an explanation. */
function parseFlags(): Flags {
	return new Command('npm run sandbox --')
		.description('Runs a local profile page service to try the node on.')
		.option('--port <number>', 'the port to listen on; 0 picks a free one', readNumber, 4747)
		.option('--host <address>', 'the address to listen on; 0.0.0.0 is for other machines and Docker', '127.0.0.1')
		.option('--host-name <name...>', 'other names of this machine')
		.option('--certificate <file>', 'serve https, and write the self-signed certificate to this file')
		.option('--redirect-uri <url>', 'the OAuth Redirect URL of an n8n elsewhere; can be repeated', readUris)
		.option('--fail <kind>', `make requests fail: an HTTP status, or ${Object.keys(namedFaults).join(', ')}`, readFault)
		.option('--fail-path <suffix>', 'fail only for paths with this ending, such as /sort or /token')
		.option('--fail-times <number>', 'fail only this many requests', readNumber)
		.parse()
		.opts<Flags>();
}

async function main(): Promise<void> {
	const { port, host, certificate, hostName, redirectUri, fail, failPath, failTimes } = parseFlags();
	const sandbox = await startSandbox({
		port,
		host,
		tls: certificate !== undefined,
		hostNames: hostName,
		redirectUris: redirectUri,
		faults: fail ? [{ fault: faultOf(fail), path: failPath, times: failTimes }] : [],
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('Stopped.')));
	}
	try {
		if (sandbox.certificate && certificate) writeFileSync(certificate, sandbox.certificate);
		console.log(describe(sandbox, certificate));
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

function describe({ baseUrl, baseUrls, isExposed, access }: Sandbox, certificate?: string): string {
	const line = (name: string, value: string) => `${name.padEnd(36)}${value}`;
	return [
		...(isExposed ? [EXPOSED, ''] : []),
		...(isExposed && !certificate ? [HTTP_ONLY, ''] : []),
		`The sandbox is running. See the profile, and the IDs of all that it has, at ${baseUrl}/`,
		'',
		line('Base URL', baseUrl),
		...baseUrls.slice(1).map((url) => line('  or', url)),
		...(certificate ? [line('Certificate', path.resolve(certificate))] : []),
		...Object.entries(access).map(([name, value]) => line(name, value)),
		'',
		'Press Ctrl+C to stop.',
	].join('\n');
}

const EXPOSED = `Warning: other machines can reach this sandbox. It is for tests only: everyone knows its secrets
and the IDs of its pages. Use it only in a network that you trust, and enter no real data.`;
const HTTP_ONLY = 'The node accepts http:// for its own machine only. For an n8n elsewhere, add --certificate.';

const explanations: Readonly<Record<string, string | undefined>> = {
	EADDRINUSE: 'The port is in use. Choose another one with --port.',
	EADDRNOTAVAIL: 'This machine does not have the address of --host. Use one of its own, or 0.0.0.0.',
	ENOTFOUND: 'The name of --host is unknown. Use an IP address of this machine, or 0.0.0.0.',
	ERR_INVALID_URL: 'The name of --host or --host-name is invalid. Enter a host name or an IP address, without a port.',
};

main().catch((error: unknown) => {
	const { code = '', message } = error as NodeJS.ErrnoException;
	console.error(explanations[code] ?? message);
	process.exitCode = 1;
});

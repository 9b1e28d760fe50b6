import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { formatTime } from './clock';
import { faultOf, namedFaults } from './faults';
import { EXAMPLE_TIME, isTime } from './form';
import { BLOCKS_PATH, PAGES_PATH } from './listsApi';
import { isHost } from './network';
import { redirectUriCheck } from './oauth/authorization';
import { type Sandbox, startSandbox } from './server';

interface Flags {
	port: number;
	host: string;
	hostName?: string[];
	certificate?: string;
	/** In milliseconds since 1970. */
	time?: number;
	redirectUri?: string[];
	/** The kind of failure, for `faultOf`. */
	fail?: string;
	failPath?: string;
	failTimes?: number;
}

/** Returns a reader of a flag, which explains what to enter instead if `read` returns undefined. */
function reader<Value>(advice: string, read: (text: string) => Value | undefined) {
	return (text: string): Value => {
		const value = read(text);
		if (value === undefined) throw new InvalidArgumentError(advice);
		return value;
	};
}

/** Returns the same for a flag that can be repeated. */
function listReader(advice: string, isValid: (text: string) => boolean) {
	const read = reader(advice, (text) => (isValid(text) ? text : undefined));
	return (text: string, previous: string[] = []) => [...previous, read(text)];
}

const numberReader = (minimum: number, maximum: number) =>
	reader(`Enter a whole number from ${minimum} to ${maximum}.`, (text) => {
		const number = /^\d+$/.test(text) ? Number(text) : NaN;
		return number >= minimum && number <= maximum ? number : undefined;
	});

const FAULTS = Object.keys(namedFaults).join(', ');
const ADVICE = {
	host: 'Enter a host name or an IP address, without a port.',
	time: `Enter a date and time such as ${EXAMPLE_TIME}.`,
	uri: 'Enter an absolute http or https URL without a fragment.',
	fault: `Enter an HTTP status or one of ${FAULTS}.`,
};
const readTime = reader(ADVICE.time, (text) => (isTime(text) ? Date.parse(text) : undefined));
const readFault = reader(ADVICE.fault, (text) => (faultOf(text) ? text : undefined));
const readUris = listReader(ADVICE.uri, (text) => redirectUriCheck([text])(text));

/** Parses the flags of this process. Invalid flags end the process with an explanation. */
function parseFlags(): Flags {
	return new Command('npm run sandbox --')
		.description('Runs a local profile page service to try the node on.')
		.option('--port <number>', 'the port to listen on; 0 picks a free one', numberReader(0, 65_535), 4747)
		.option('--host <address>', 'the address to listen on; 0.0.0.0 is for other machines and Docker', '127.0.0.1')
		.option('--host-name <name>', 'another name of this machine; can be repeated', listReader(ADVICE.host, isHost))
		.option('--certificate <file>', 'serve https, and write the self-signed certificate to this file')
		.option('--time <time>', `what the clock for links shows at the start, such as ${EXAMPLE_TIME}`, readTime)
		.option('--redirect-uri <url>', 'the OAuth Redirect URL of an n8n elsewhere; can be repeated', readUris)
		.option('--fail <kind>', `make requests fail: an HTTP status, or ${FAULTS}`, readFault)
		.option('--fail-path <suffix>', 'fail only for paths with this ending, such as /sort or /token')
		.option('--fail-times <number>', 'fail only this many requests', numberReader(1, 1_000_000))
		.parse()
		.opts<Flags>();
}

async function main(): Promise<void> {
	const { certificate, hostName, redirectUri, fail, failPath, failTimes, ...others } = parseFlags();
	const sandbox = await startSandbox({
		...others,
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
		if (sandbox.isExposed) console.warn(describeExposure(sandbox));
		console.log(describe(sandbox, certificate));
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

function describeExposure({ certificate }: Sandbox): string {
	return [
		'Warning: other machines can reach this sandbox. It is for tests only: everyone knows its secrets',
		'and the IDs of its pages. Use it only in a network that you trust, and enter no real data.',
		...(certificate
			? []
			: ['The node accepts http:// for its own machine only. For an n8n elsewhere, add --certificate.']),
		'',
	].join('\n');
}

function describe(sandbox: Sandbox, certificate?: string): string {
	const { baseUrl, baseUrls, clientId, clientSecret, publicApp, clock } = sandbox;
	return [
		`The sandbox is running. See the profile, and the IDs of all that it has, at ${baseUrl}/`,
		'',
		`Base URL       ${baseUrl}`,
		...baseUrls.slice(1).map((url) => `  or           ${url}`),
		...(certificate ? [`Certificate    ${path.resolve(certificate)}`] : []),
		`Client ID      ${clientId}`,
		`Client Secret  ${clientSecret}`,
		`Pages Path     ${PAGES_PATH}`,
		`Blocks Path    ${BLOCKS_PATH}`,
		'Public app, for the OAuth2 credential',
		`  Client ID      ${publicApp.clientId}`,
		`  Client Secret  ${publicApp.clientSecret}`,
		`Clock          ${formatTime(clock.now())}`,
		'',
		'Press Ctrl+C to stop.',
	].join('\n');
}

const explanations: Readonly<Record<string, string | undefined>> = {
	EADDRINUSE: 'The port is in use. Choose another one with --port.',
	EADDRNOTAVAIL: 'This machine does not have the address of --host. Use one of its own, or 0.0.0.0.',
	ENOTFOUND: 'The name of --host is unknown. Use an IP address of this machine, or 0.0.0.0.',
};

main().catch((error: unknown) => {
	const { code = '', message } = error as NodeJS.ErrnoException;
	console.error(explanations[code] ?? message);
	process.exitCode = 1;
});

import { type Command, InvalidArgumentError, Option } from 'commander';

import { EXAMPLE_TIME, isTime } from './form';
import { faultOf, namedFaults } from './faults';
import { isHost } from './network';
import { redirectUriCheck } from './oauth/authorization';

/** The flags of the command. */
export interface Flags {
	port: number;
	host: string;
	hostName?: string[];
	certificate?: string;
	time?: number;
	tokenLifetime: number;
	redirectUri?: string[];
	latency: number;
	/** The kind of failure, for `faultOf`. */
	fail?: string;
	failPath?: string;
	failTimes?: number;
}

/**
 * Parses the flags of this process, or the given ones. Invalid flags end the process with an explanation.
 *
 * @param command one without flags, to which they are added
 */
export function parseFlags(command: Command, args: readonly string[] = process.argv.slice(2)): Flags {
	const flags = defineFlags(command).parse(args, { from: 'user' }).opts<Flags>();
	if (!flags.fail && (flags.failPath !== undefined || flags.failTimes !== undefined)) {
		command.error('error: --fail-path and --fail-times need --fail.');
	}
	return flags;
}

function defineFlags(command: Command): Command {
	return command
		.name('npm run sandbox --')
		.description('Runs a local profile page service to try the node on.')
		.option('--port <number>', 'the port to listen on', readPort, 4747)
		.option(
			'--host <address>',
			'the address to listen on; 0.0.0.0 makes the sandbox available to other machines and to Docker',
			'127.0.0.1',
		)
		.option(
			'--host-name <name>',
			'another name or address by which clients reach this machine; can be repeated',
			readHostNames,
		)
		.option('--certificate <file>', 'serve https, and write the self-signed certificate to this file')
		.option(
			'--time <time>',
			`what the clock for links shows at the start, such as ${EXAMPLE_TIME}; the current time by default`,
			readStart,
		)
		.option('--token-lifetime <seconds>', 'lifetime of an access token', readPositive, 3600)
		.option(
			'--redirect-uri <url>',
			'the OAuth Redirect URL of an n8n on another machine; can be repeated',
			readRedirectUris,
		)
		.option('--latency <ms>', 'delay before every response of the API', readCount, 0)
		.addOption(
			new Option(
				'--fail <kind>',
				`make requests fail: an HTTP status, or ${Object.keys(namedFaults).join(', ')}`,
			).argParser(readFault),
		)
		.option('--fail-path <suffix>', 'fail only for paths with this ending, such as /sort or /token')
		.option('--fail-times <number>', 'fail only this many requests', readPositive);
}

function readCount(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new InvalidArgumentError('Enter a whole number.');
}

function readPositive(text: string): number {
	const count = readCount(text);
	if (count > 0) return count;
	throw new InvalidArgumentError('The minimum is 1.');
}

function readPort(text: string): number {
	const port = readCount(text);
	if (port <= 65_535) return port;
	throw new InvalidArgumentError('The maximum is 65535; 0 picks a free port.');
}

/** Returns milliseconds since 1970. */
function readStart(text: string): number {
	if (isTime(text)) return Date.parse(text);
	throw new InvalidArgumentError(`Enter a date and time such as ${EXAMPLE_TIME}.`);
}

function readRedirectUris(text: string, previous: string[] = []): string[] {
	if (redirectUriCheck([text])(text)) return [...previous, text];
	throw new InvalidArgumentError('Enter an absolute http or https URL without a fragment.');
}

function readHostNames(text: string, previous: string[] = []): string[] {
	if (isHost(text)) return [...previous, text];
	throw new InvalidArgumentError('Enter a host name or an IP address, without a port.');
}

function readFault(text: string): string {
	if (faultOf(text)) return text;
	throw new InvalidArgumentError(`Enter an HTTP status or one of ${Object.keys(namedFaults).join(', ')}.`);
}

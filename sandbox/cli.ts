import { type Command, InvalidArgumentError, Option, program } from 'commander';

import { formatTime } from './clock';
import { EXAMPLE_TIME, isTime } from './form';
import { redirectUriCheck } from './oauth/authorization';
import { type FaultRule, namedFaults, statusFault } from './faults';
import { type Sandbox, startSandbox } from './server';

interface Flags {
	port: number;
	time?: number;
	tokenLifetime: number;
	codeLifetime: number;
	redirectUri?: string[];
	latency: number;
	fail?: FaultRule['fault'];
	failPath?: string;
	failTimes?: number;
}

function defineFlags(command: Command): Command {
	return command
		.name('npm run sandbox --')
		.description('Runs a local profile page service to try the node on.')
		.option('--port <number>', 'the port to listen on', readPort, 4747)
		.option(
			'--time <time>',
			`what the clock for links shows at the start, such as ${EXAMPLE_TIME}; the current time by default`,
			readStart,
		)
		.option('--token-lifetime <seconds>', 'lifetime of an access token', readPositive, 3600)
		.option('--code-lifetime <seconds>', 'lifetime of an authorization code', readPositive, 60)
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

function readFault(text: string): FaultRule['fault'] {
	const named = namedFaults[text];
	if (named) return named;
	if (/^[2-5]\d\d$/.test(text)) return statusFault(Number(text));
	throw new InvalidArgumentError(
		`Enter an HTTP status or one of ${Object.keys(namedFaults).join(', ')}.`,
	);
}

async function main(): Promise<void> {
	const flags = defineFlags(program).parse().opts<Flags>();
	const sandbox = await startSandbox({
		...flags,
		redirectUris: flags.redirectUri,
		faults: flags.fail ? [{ fault: flags.fail, path: flags.failPath, times: flags.failTimes }] : [],
	});
	console.log(describe(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('Stopped.')));
	}
}

function describe(sandbox: Sandbox): string {
	const { baseUrl, clientId, clientSecret, publicApp, owner, clock } = sandbox;
	const { links, groups } = sandbox.account;
	const pages = sandbox.account.pages.map(
		({ id, title, blocks }) => `  ${id} (${title}, ${blocks.length} blocks)`,
	);
	const groupNames = groups.map(({ group_id: id, group_name: name }) => `${id} (${name})`);
	return [
		`The sandbox is running. See its pages and links at ${baseUrl}/`,
		'',
		`Base URL       ${baseUrl}`,
		`Client ID      ${clientId}`,
		`Client Secret  ${clientSecret}`,
		'Public app, for the OAuth2 credential',
		`  Client ID      ${publicApp.clientId}`,
		`  Client Secret  ${publicApp.clientSecret}`,
		`  User name      ${owner.userName}`,
		`  Password       ${owner.password}`,
		'Pages',
		...pages,
		`Links          ${links.all.length}`,
		`Groups         ${groupNames.join(', ') || 'none'}`,
		`Clock          ${formatTime(clock.now())}`,
		'',
		'Press Ctrl+C to stop.',
	].join('\n');
}

main().catch((error: unknown) => {
	const { code, message } = error as NodeJS.ErrnoException;
	console.error(
		code === 'EADDRINUSE' ? 'The port is in use. Choose another one with --port.' : message,
	);
	process.exitCode = 1;
});

import { type Command, InvalidArgumentError, Option, program } from 'commander';

import { redirectRule } from './oauth/authorization';
import { type FaultRule, namedFaults, statusFault } from './faults';
import { type Sandbox, startSandbox } from './server';

interface Flags {
	port: number;
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
		.description('Runs a small profile-page service on this machine, to try the node on.')
		.option('--port <number>', 'the port to listen on', readPort, 4747)
		.option('--token-lifetime <seconds>', 'how long an access token is valid', readSome, 3600)
		.option('--code-lifetime <seconds>', 'how long an authorization code is valid', readSome, 60)
		.option(
			'--redirect-uri <url>',
			'the OAuth Redirect URL of an n8n that is not on this machine; may be given again',
			readRedirectUris,
		)
		.option('--latency <ms>', 'how long every answer of the API waits', readCount, 0)
		.addOption(
			new Option(
				'--fail <kind>',
				`what goes wrong: an HTTP status, or ${Object.keys(namedFaults).join(', ')}`,
			).argParser(readFault),
		)
		.option('--fail-path <end>', 'fail only where the path ends so, such as /sort or /token')
		.option('--fail-times <number>', 'fail only so many times, then work', readSome);
}

function readCount(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new InvalidArgumentError('It must be a whole number.');
}

function readSome(text: string): number {
	const count = readCount(text);
	if (count > 0) return count;
	throw new InvalidArgumentError('It must be at least 1.');
}

function readPort(text: string): number {
	const port = readCount(text);
	if (port <= 65_535) return port;
	throw new InvalidArgumentError('It must be at most 65535; 0 takes a free one.');
}

function readRedirectUris(text: string, others: string[] = []): string[] {
	if (redirectRule([text])(text)) return [...others, text];
	throw new InvalidArgumentError('It must be a whole http or https address without a #.');
}

function readFault(text: string): FaultRule['fault'] {
	const named = namedFaults[text];
	if (named) return named;
	if (/^[2-5]\d\d$/.test(text)) return statusFault(Number(text));
	throw new InvalidArgumentError(
		`It must be an HTTP status or one of ${Object.keys(namedFaults).join(', ')}.`,
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
	const { baseUrl, clientId, clientSecret, publicApp, owner } = sandbox;
	const { links, groups } = sandbox.account;
	const pages = sandbox.account.pages.map(({ id, blocks }) => `  ${id} (${blocks.length} blocks)`);
	const groupNames = groups.map(({ group_id: id, group_name: name }) => `${id} (${name})`);
	return [
		`The sandbox is running. Look at its pages and links on ${baseUrl}/`,
		'',
		`Base URL       ${baseUrl}`,
		`Client ID      ${clientId}`,
		`Client Secret  ${clientSecret}`,
		'Public app, for the credential that asks the owner in a browser',
		`  Client ID      ${publicApp.clientId}`,
		`  Client Secret  ${publicApp.clientSecret}`,
		`  User name      ${owner.userName}`,
		`  Password       ${owner.password}`,
		'Pages',
		...pages,
		`Links          ${links.all.length}`,
		`Groups         ${groupNames.join(', ') || 'none'}`,
		'',
		'Press Ctrl+C to stop it.',
	].join('\n');
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});

function explain(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	return code === 'EADDRINUSE'
		? 'The port is taken. Choose another with --port, or stop what listens there.'
		: message;
}

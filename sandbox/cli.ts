import { type Command, InvalidArgumentError, Option, program } from 'commander';

import { type FaultRule, namedFaults, statusFault } from './faults';
import { type Sandbox, startSandbox } from './server';

interface Flags {
	port: number;
	tokenLifetime: number;
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
		faults: flags.fail ? [{ fault: flags.fail, path: flags.failPath, times: flags.failTimes }] : [],
	});
	console.log(describe(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('Stopped.')));
	}
}

function describe({ baseUrl, clientId, clientSecret, account }: Sandbox): string {
	const pages = account.pages.map(({ id, blocks }) => `  ${id} (${blocks.length} blocks)`);
	return [
		`The sandbox is running. Look at its pages on ${baseUrl}/`,
		'',
		`Base URL       ${baseUrl}`,
		`Client ID      ${clientId}`,
		`Client Secret  ${clientSecret}`,
		'Pages',
		...pages,
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

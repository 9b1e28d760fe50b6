import { Command } from 'commander';

import { type Flags, parseFlags } from '../../sandbox/flags';

/** Parses flags in this process, and returns them, or what would be printed instead. */
function parse(...args: string[]): { flags?: Flags; printed: string } {
	let printed = '';
	const print = (text: string) => void (printed += text);
	const command = new Command().exitOverride();
	command.configureOutput({ writeOut: print, writeErr: print });
	try {
		return { flags: parseFlags(command, args), printed };
	} catch {
		return { printed };
	}
}

test.each([
	[
		['--fail', 'zap'],
		'Enter an HTTP status or one of reset, hang, trickle, lost, cut, html, malformed, empty, corrupt, truncated.',
	],
	[['--fail', 'constructor'], 'Enter an HTTP status or one of reset'],
	[['--fail-path', '/sort'], '--fail-path and --fail-times need --fail.'],
	[['--fail-times', '2'], '--fail-path and --fail-times need --fail.'],
	[['--port', '99999'], 'The maximum is 65535'],
	[['--time', '2030-01-31'], 'Enter a date and time such as 2030-01-31T18:00:00+01:00.'],
	[['--token-lifetime', '0'], 'The minimum is 1.'],
	[['--code-lifetime', '0'], 'The minimum is 1.'],
	[['--redirect-uri', 'n8n.example/cb'], 'Enter an absolute http or https URL'],
	[['--redirect-uri', 'https://n8n.example/cb#a'], 'Enter an absolute http or https URL'],
	[['--host-name', 'my-box:4747'], 'Enter a host name or an IP address, without a port.'],
	[['--host-name', '1.2.3.400'], 'Enter a host name or an IP address, without a port.'],
	[['--latency', 'soon'], 'Enter a whole number.'],
])('the sandbox rejects the flag %p with an explanation', (args, message) => {
	const { flags, printed } = parse(...args);
	expect(printed).toContain(message);
	expect(flags).toBeUndefined();
});

test('the sandbox accepts flags that can be repeated', () => {
	const { flags } = parse('--host-name', 'a', '--host-name', 'b.example');
	expect(flags?.hostName).toEqual(['a', 'b.example']);
});

test('--help lists every flag of the sandbox', () => {
	const { printed } = parse('--help');
	expect(printed.match(/--[a-z-]+/g)).toEqual(
		expect.arrayContaining([
			'--port',
			'--host',
			'--host-name',
			'--tls',
			'--certificate',
			'--time',
			'--token-lifetime',
			'--code-lifetime',
			'--redirect-uri',
			'--latency',
			'--fail',
			'--fail-path',
			'--fail-times',
		]),
	);
});

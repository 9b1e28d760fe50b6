import { parseArgs } from 'node:util';

import { startSandbox } from './server';

async function main(): Promise<void> {
	const { port } = parseArgs({ options: { port: { type: 'string', default: '4747' } } }).values;
	const sandbox = await startSandbox({ port: Number(port) });
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('Stopped.')));
	}
	const values = Object.entries({ 'Base URL': sandbox.baseUrl, ...sandbox.access });
	console.log(`The sandbox is running. See the profile, and the IDs of all that it has, at ${sandbox.baseUrl}/\n`);
	for (const [name, value] of values) console.log(name.padEnd(36) + value);
	console.log('\nPress Ctrl+C to stop.');
}

main().catch((error: unknown) => {
	const { code, message } = error as NodeJS.ErrnoException;
	console.error(
		code === 'EADDRINUSE' ? 'The port is in use. Choose another one: npm run sandbox -- --port 4748' : message,
	);
	process.exitCode = 1;
});

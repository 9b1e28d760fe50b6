import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { program } from 'commander';

import { formatTime } from './clock';
import { faultOf } from './faults';
import { type Flags, parseFlags } from './flags';
import { BLOCKS_PATH, PAGES_PATH } from './listsApi';
import { type Sandbox, startSandbox } from './server';

async function main(): Promise<void> {
	const flags = parseFlags(program);
	const sandbox = await startSandbox({
		...flags,
		tls: flags.certificate !== undefined,
		hostNames: flags.hostName,
		redirectUris: flags.redirectUri,
		faults: flags.fail ? [{ fault: faultOf(flags.fail), path: flags.failPath, times: flags.failTimes }] : [],
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('Stopped.')));
	}
	try {
		if (sandbox.certificate && flags.certificate) writeFileSync(flags.certificate, sandbox.certificate);
		if (sandbox.isExposed) console.warn(describeExposure(sandbox));
		console.log(describe(sandbox, flags));
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

function describe(sandbox: Sandbox, flags: Flags): string {
	const { baseUrl, baseUrls, clientId, clientSecret, publicApp, owner, clock } = sandbox;
	const { links, groups } = sandbox.account;
	const pages = sandbox.account.pages.map(({ id, title, blocks }) => `  ${id} (${title}, ${blocks.length} blocks)`);
	const groupNames = groups.map(({ group_id: id, group_name: name }) => `${id} (${name})`);
	return [
		`The sandbox is running. See the profile at ${baseUrl}/`,
		'',
		`Base URL       ${baseUrl}`,
		...baseUrls.slice(1).map((url) => `  or           ${url}`),
		...(flags.certificate ? [`Certificate    ${path.resolve(flags.certificate)}`] : []),
		`Client ID      ${clientId}`,
		`Client Secret  ${clientSecret}`,
		`Pages Path     ${PAGES_PATH}`,
		`Blocks Path    ${BLOCKS_PATH}`,
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
		...(flags.fail ? [`Failure        ${describeFailure(flags)}`] : []),
		'',
		'Press Ctrl+C to stop.',
	].join('\n');
}

function describeFailure({ fail, failPath, failTimes }: Flags): string {
	const where = failPath === undefined ? '' : `, for paths that end with ${failPath}`;
	const times = failTimes === 1 ? ', once' : `, ${failTimes} times`;
	return `${fail}${where}${failTimes === undefined ? '' : times}`;
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

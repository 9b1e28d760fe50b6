import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import manifest from '../../package.json';

const ROOT = path.resolve(__dirname, '../..');

/** Makes the tests independent of git's configuration. */
const env: NodeJS.ProcessEnv = {
	...process.env,
	GIT_AUTHOR_NAME: 'Somebody',
	GIT_AUTHOR_EMAIL: 'somebody@example.com',
	GIT_COMMITTER_NAME: 'Somebody',
	GIT_COMMITTER_EMAIL: 'somebody@example.com',
};

let folder: string;
let work: string;

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: work, env, encoding: 'utf8' }).trim();
}

const read = (name: string) => readFileSync(path.join(work, name), 'utf8');

/** Creates a repository with the files that a release touches, and its remote. */
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'profile-page-release-'));
	work = path.join(folder, 'work');
	execFileSync('git', ['init', '-q', '--bare', '-b', 'main', path.join(folder, 'origin.git')]);
	execFileSync('git', ['clone', '-q', path.join(folder, 'origin.git'), work], { stdio: 'ignore' });
	for (const name of ['package.json', 'package-lock.json', '.release-it.json', '.gitignore', '.github', 'scripts']) {
		cpSync(path.join(ROOT, name), path.join(work, name), { recursive: true });
	}
	symlinkSync(path.join(ROOT, 'node_modules'), path.join(work, 'node_modules'));
	writeFileSync(path.join(work, 'CHANGELOG.md'), '# Change log\n\n## [Unreleased]\n\n### Added\n\n- Something new.\n');
	writeFileSync(path.join(work, '.git/info/exclude'), 'node_modules\n');
	git('switch', '-q', '-C', 'main');
	git('add', '-A');
	git('commit', '-q', '-m', 'feat: something new');
	git('push', '-q', '-u', 'origin', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Commits a text as the README, and pushes it. */
function commitReadme(text: string): void {
	writeFileSync(path.join(work, 'README.md'), text);
	git('add', 'README.md');
	git('commit', '-q', '-m', 'docs: a sentence');
	git('push', '-q', 'origin', 'main');
}

/** Releases without prompts, and with this command in place of the preceding checks. */
function release(check = 'true') {
	const releaseIt = path.join(ROOT, 'node_modules/.bin/release-it');
	return spawnSync(releaseIt, ['9.8.7', '--ci', `--hooks.before:init=${check}`], { cwd: work, env }).status;
}

function script(...parameters: string[]): string {
	const file = path.join(work, 'scripts/release.mjs');
	return spawnSync(process.execPath, [file, ...parameters], { encoding: 'utf8' }).stderr;
}

const MARKED = '# Title\n\n<!-- first release: **Install** it. -->Build a file.<!-- /first release --> Then restart.\n';
const EARLY = 'README.md has a sentence that is true only before the first release.';

test('a release bumps the version, dates the change log, commits, tags and pushes', () => {
	expect(release()).toBe(0);
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '9.8.7' });
	expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: '9.8.7' });
	expect(read('CHANGELOG.md')).toMatch(
		/## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something new/,
	);
	expect(git('log', '-1', '--format=%s')).toBe('chore: release 9.8.7');
	expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/v9.8.7');
	expect(git('status', '--short')).toBe('');
});

test('a release stops with a sentence that is true only before the first one, and on another branch', () => {
	commitReadme(MARKED);
	const { hooks } = JSON.parse(read('.release-it.json')) as { hooks: { 'before:init': string[] } };
	expect(release(hooks['before:init'][0])).not.toBe(0);
	git('switch', '-q', '-c', 'other');
	expect(release()).not.toBe(0);
	expect(git('tag')).toBe('');
});

test('scripts/release.mjs rejects a tag until its version has a section, its commit is on main, and the package has an owner', () => {
	const check = () => script('check', 'v9.8.7');
	expect(script('check', `v${manifest.version}`)).toContain('CHANGELOG.md has no section for');
	git('switch', '-q', '-c', 'other');
	writeFileSync(path.join(work, 'package.json'), JSON.stringify({ ...manifest, version: '9.8.7' }));
	writeFileSync(path.join(work, 'CHANGELOG.md'), '# Change log\n\n## [9.8.7] - 2026-01-01\n');
	git('commit', '-q', '-a', '-m', 'chore: release');
	expect(check()).toContain('The tagged commit is not on the branch main.');
	git('push', '-q', 'origin', 'HEAD:main');
	expect(check()).toBe('package.json still names example.org as the owner. RELEASING.md says what to do.\n');
	writeFileSync(path.join(work, 'package.json'), read('package.json').replaceAll('example.org', 'example.com'));
	expect(check()).toBe('');
});

test('scripts/release.mjs finds the sentences that are marked as true only before the first release, and replaces them', () => {
	commitReadme(MARKED);
	for (const tag of [[], ['v9.8.7']]) expect(script('check', ...tag)).toContain(EARLY);
	script('first');
	expect(read('README.md')).toBe('# Title\n\n**Install** it. Then restart.\n');
	expect(script('check', 'v9.8.7')).not.toContain('README.md');
});

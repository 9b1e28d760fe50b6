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

/** Releases without the preceding checks and prompts. */
function release(version: string) {
	const releaseIt = path.join(ROOT, 'node_modules/.bin/release-it');
	return spawnSync(releaseIt, [version, '--ci', '--hooks.before:init=true'], {
		cwd: work,
		env,
		encoding: 'utf8',
	});
}

/** Commits and pushes a version to the current branch as a release does. */
function commitVersion(version: string): void {
	writeFileSync(path.join(work, 'package.json'), JSON.stringify({ ...manifest, version }));
	writeFileSync(path.join(work, 'CHANGELOG.md'), `# Change log\n\n## [${version}] - 2026-01-01\n`);
	git('commit', '-q', '-a', '-m', 'chore: release');
	git('push', '-q', 'origin', 'HEAD');
}

function check(...tag: string[]): string {
	const script = path.join(work, 'scripts/release.mjs');
	return spawnSync(process.execPath, [script, 'check', ...tag], { encoding: 'utf8' }).stderr;
}

test('a release bumps the version, dates the change log, commits, tags and pushes', () => {
	expect(release('9.8.7')).toMatchObject({ status: 0 });
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '9.8.7' });
	expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: '9.8.7' });
	expect(read('CHANGELOG.md')).toMatch(
		/## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something new/,
	);
	expect(git('log', '-1', '--format=%s')).toBe('chore: release 9.8.7');
	expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/v9.8.7');
	expect(git('status', '--short')).toBe('');
});

test('a release fails on another branch', () => {
	git('switch', '-q', '-c', 'other');
	expect(release('9.8.7').status).not.toBe(0);
	expect(git('tag')).toBe('');
});

describe('scripts/release.mjs check rejects a tag', () => {
	test('whose version has no section in the change log', () => {
		expect(check(`v${manifest.version}`)).toContain('CHANGELOG.md has no section for');
	});

	test('unless the tagged commit is on the main branch of the repository', () => {
		git('switch', '-q', '-c', 'other');
		commitVersion('9.8.7');
		expect(check('v9.8.7')).toContain('The tagged commit is not on the branch main.');
	});

	test('until package.json names the owner', () => {
		commitVersion('9.8.7');
		expect(check('v9.8.7')).toBe('package.json still names example.org as the owner. RELEASING.md says what to do.\n');
		const owned = read('package.json').replaceAll('example.org', 'example.com');
		writeFileSync(path.join(work, 'package.json'), owned);
		expect(check('v9.8.7')).toBe('');
	});
});

describe('a sentence that is true only before the first release', () => {
	const MARKED =
		'# Title\n\n<!-- first release: **Install** it. -->Build a file.<!-- /first release --> Then restart.\n';
	const UNMARKED = 'The package is not published on npm yet.\n';

	const add = (text: string) => {
		writeFileSync(path.join(work, 'README.md'), text);
		git('add', 'README.md');
		git('commit', '-q', '-m', 'docs: a sentence');
		git('push', '-q', 'origin', 'main');
	};
	const replaceAll = () => spawnSync(process.execPath, [path.join(work, 'scripts/release.mjs'), 'first']);

	test.each([UNMARKED, UNMARKED.replace('on npm', 'on\nnpm')])('is found without a mark: %j', (text) => {
		add(text);
		expect(check()).toContain('README.md has a sentence that is true only before the first release.');
	});

	test('stops a release before anything is changed', () => {
		add(MARKED);
		const config = JSON.parse(read('.release-it.json')) as { hooks: { 'before:init': string[] } };
		const [first = ''] = config.hooks['before:init'];
		const releaseIt = path.join(ROOT, 'node_modules/.bin/release-it');
		const { status } = spawnSync(releaseIt, ['9.8.7', '--ci', `--hooks.before:init=${first}`], { cwd: work, env });
		expect(status).not.toBe(0);
		expect(git('tag')).toBe('');
	});

	test('fails the check of a tag, until it is replaced by what takes its place', () => {
		add(MARKED);
		expect(check('v9.8.7')).toContain('README.md has a sentence that is true only before the first release.');
		replaceAll();
		expect(read('README.md')).toBe('# Title\n\n**Install** it. Then restart.\n');
		expect(check('v9.8.7')).not.toContain('README.md');
	});
});

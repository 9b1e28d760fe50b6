/**
 * What a release needs.
 *
 * - `node scripts/release.mjs check [tag]` fails if something is left to do before a release; with a tag, if it is not
 *   the version of the package, or not on the main branch.
 * - `node scripts/release.mjs first` replaces the sentences that are true only before the first release. They are marked
 *   in the documents, with what takes their place: `<!-- first release: after -->before<!-- /first release -->`.
 * - `node scripts/release.mjs rehearse` releases to a temporary remote, builds and packs the tag, and upgrades a complete
 *   n8n from the previous version to it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const MODULES = path.join(ROOT, 'node_modules');
const MARKED = /<!-- first release:([^]*?)-->[^]*?<!-- \/first release -->/g;
/** Takes the place of the placeholders in package.json. */
const OWNER = {
	author: { name: 'Rehearsal', email: 'rehearsal@example.com' },
	homepage: 'https://github.com/example/n8n-nodes-profile-page',
	repository: { type: 'git', url: 'git+https://github.com/example/n8n-nodes-profile-page.git' },
};

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
const run = (cwd, command, args, env = {}) =>
	execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
const read = (folder, name) => readFileSync(path.join(folder, name), 'utf8');
const readManifest = (folder) => JSON.parse(read(folder, 'package.json'));
/** Returns the documents with a sentence that is true only before the first release. */
const earlyDocuments = () =>
	git(ROOT, 'ls-files', '*.md')
		.split('\n')
		.filter((name) => read(ROOT, name).match(MARKED));

/** Returns what is left to do. */
function problems(tag) {
	const { version, ...manifest } = readManifest(ROOT);
	const left = earlyDocuments().map((name) => `${name} has a sentence that is true only before the first release.`);
	if (tag === undefined) return left;
	const isOwned = !JSON.stringify([manifest.author, manifest.homepage, manifest.repository]).includes('example.org');
	const hasSection = read(ROOT, 'CHANGELOG.md').includes(`\n## [${version}] - `);
	return [
		...left,
		tag !== `v${version}` && `The tag is ${tag}, and the version in package.json is ${version}.`,
		!isOnMain() && 'The tagged commit is not on the branch main.',
		!hasSection && `CHANGELOG.md has no section for ${version}.`,
		!isOwned && 'package.json still names example.org as the owner.',
	].filter(Boolean);
}

/** Somebody who may push tags, but not to the main branch, could otherwise publish what nobody has reviewed. */
const isOnMain = () => git(ROOT, 'branch', '--remotes', '--contains', 'HEAD', '--list', 'origin/main') !== '';

function check(tag) {
	const left = problems(tag);
	for (const problem of left) console.error(`${problem} RELEASING.md says what to do.`);
	if (left.length > 0) process.exitCode = 1;
}

function replaceSentences() {
	const names = earlyDocuments();
	for (const name of names) {
		const text = read(ROOT, name).replace(MARKED, (_, after) => after.trim());
		writeFileSync(path.join(ROOT, name), text);
	}
	if (names.length > 0) run(ROOT, path.join(MODULES, '.bin/prettier'), ['--write', ...names]);
}

/** Clones a repository, with the development tools that are installed here. */
function clone(from, to, commit) {
	git(ROOT, 'clone', '--quiet', from, to);
	if (commit) git(to, 'checkout', '--quiet', git(ROOT, 'rev-parse', commit));
	symlinkSync(MODULES, path.join(to, 'node_modules'));
	writeFileSync(path.join(to, '.git/info/exclude'), 'node_modules\n');
}

const changeManifest = (folder, fields) =>
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...readManifest(folder), ...fields }, null, 2));

/** Builds and packs the package in a folder. Returns the tarball. */
function pack(cwd) {
	run(cwd, path.join(MODULES, '.bin/gulp'), ['--silent']);
	run(cwd, 'npm', ['pack', '--loglevel=error']);
	const { name, version } = readManifest(cwd);
	return path.join(cwd, `${name}-${version}.tgz`);
}

/** Releases HEAD to a remote that is a temporary folder. Returns the tarball. */
function release(folder, version) {
	const [origin, work] = [path.join(folder, 'origin.git'), path.join(folder, 'next')];
	git(ROOT, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
	git(ROOT, 'push', '--quiet', origin, 'HEAD:refs/heads/main');
	clone(origin, work);
	git(work, 'config', 'user.name', OWNER.author.name);
	git(work, 'config', 'user.email', OWNER.author.email);
	changeManifest(work, OWNER);
	run(work, process.execPath, ['scripts/release.mjs', 'first']);
	git(work, 'commit', '--quiet', '--all', '--message=chore: what the owner does before the first release');
	git(work, 'push', '--quiet', 'origin', 'main');
	// Without the tests, which are commands of their own.
	const hook = '--hooks.before:init=node scripts/release.mjs check';
	run(work, path.join(MODULES, '.bin/release-it'), [version, '--ci', hook]);
	const tag = git(work, 'describe', '--tags', '--exact-match');
	git(work, 'ls-remote', '--exit-code', '--tags', 'origin', tag);
	run(work, process.execPath, ['scripts/release.mjs', 'check', tag]);
	return pack(work);
}

const isReleased = (version) => git(ROOT, 'tag', '--list', `v${version}`) !== '';

/** Builds and packs the version to upgrade from: the last release, or this commit if there is none. */
function packPrevious(folder) {
	const [tag] = git(ROOT, 'tag', '--merged', 'HEAD', '--sort=-v:refname', '--list', 'v*').split('\n');
	const work = path.join(folder, 'previous');
	clone(ROOT, work, tag || 'HEAD');
	const { version } = readManifest(work);
	if (!tag) changeManifest(work, { version: `${version}-rc.0` });
	return pack(work);
}

function rehearse() {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-release-'));
	try {
		const current = readManifest(ROOT).version;
		const next = release(folder, isReleased(current) ? 'minor' : current);
		const tarballs = { PREVIOUS_TARBALL: packPrevious(folder), NEXT_TARBALL: next };
		const options = ['--config', 'test/n8n/jest.config.js', '--roots', path.join(ROOT, 'test/n8n/release')];
		run(ROOT, path.join(MODULES, '.bin/jest'), options, tarballs);
		console.log('\nThe rehearsal has passed. Nothing was published.');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const [command, tag] = process.argv.slice(2);
if (command === 'check') check(tag);
else if (command === 'first') replaceSentences();
else if (command === 'rehearse') rehearse();
else throw new Error('Use check, first, or rehearse.');

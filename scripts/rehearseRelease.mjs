/**
 * Rehearses a release in temporary clones, up to the publication itself: version, change log, tag, build,
 * and tarball. Then installs the tarball in an n8n with the previous version.
 *
 *     npm run release:rehearse -- [--version <version>] [--from <tag or commit>]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');

/** Before the first release, the version to upgrade from is the first one that stores tokens as today: that with this file. */
const STORES_TOKENS = 'nodes/ProfilePage/n8n/app.ts';

/** Replaces the placeholders in package.json. */
const owner = {
	author: { name: 'Rehearsal', email: 'rehearsal@example.com' },
	homepage: 'https://github.com/example/n8n-nodes-profile-page',
	repository: { type: 'git', url: 'git+https://github.com/example/n8n-nodes-profile-page.git' },
};

function git(cwd, ...args) {
	return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}

function run(cwd, command, args, env = {}) {
	execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
}

/** Returns the tag of the last release, or the commit of the first version that stores tokens as today. */
function findPrevious() {
	const [tag] = git(root, 'tag', '--merged', 'HEAD', '--sort=-v:refname', '--list', 'v*').split('\n');
	const [commit] = git(root, 'log', '--diff-filter=A', '--format=%h', '--', STORES_TOKENS).split('\n');
	if (tag || commit) return tag || commit;
	throw new Error('There is no tag. Name the version to upgrade from with --from.');
}

/** Returns the version in package.json if it is not released yet, else the next minor version. */
function nextVersion() {
	const { version } = readManifest(root);
	return isReleased(version) ? 'minor' : version;
}

function isReleased(version) {
	return git(root, 'tag', '--list', `v${version}`) !== '';
}

function readManifest(folder) {
	return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

function changeManifest(folder, fields) {
	const manifest = { ...readManifest(folder), ...fields };
	writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Clones a repository, with the development tools that are installed here. */
function clone(from, to) {
	git(root, 'clone', '--quiet', from, to);
	symlinkSync(modules, path.join(to, 'node_modules'));
	writeFileSync(path.join(to, '.git/info/exclude'), 'node_modules\n');
}

/** Builds and packs the package in a folder. Returns the tarball. */
function pack(cwd) {
	run(cwd, path.join(modules, '.bin/gulp'), ['--silent']);
	run(cwd, 'npm', ['pack', '--loglevel=error']);
	return path.join(
		cwd,
		readdirSync(cwd).find((name) => name.endsWith('.tgz')),
	);
}

/** Releases HEAD to a remote that is a temporary folder. Returns the tarball. */
function release(folder, version) {
	const [origin, work] = [path.join(folder, 'origin.git'), path.join(folder, 'next')];
	git(root, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
	git(root, 'push', '--quiet', origin, 'HEAD:refs/heads/main');
	clone(origin, work);
	git(work, 'config', 'user.name', owner.author.name);
	git(work, 'config', 'user.email', owner.author.email);
	setOwner(work);
	proveSentences(work);

	console.log('\nRelease: version, change log, tag');
	// The checks and tests are commands of their own.
	const options = [version, '--ci', '--hooks.before:init=true'];
	run(work, path.join(modules, '.bin/release-it'), options);
	const tag = git(work, 'describe', '--tags', '--exact-match');
	git(work, 'ls-remote', '--exit-code', '--tags', 'origin', tag);
	run(work, process.execPath, ['scripts/checkRelease.mjs', tag]);

	console.log(`\nBuild and pack ${tag}`);
	return pack(work);
}

function setOwner(work) {
	changeManifest(work, owner);
	git(work, 'commit', '--quiet', '--all', '--message=chore: an owner for the rehearsal');
	git(work, 'push', '--quiet', 'origin', 'main');
}

/** Proves that a sentence that is true only before the first release stops it, and that nothing is left once all are replaced. */
function proveSentences(work) {
	console.log('\nSentences that are true only before the first release');
	const script = 'scripts/firstRelease.mjs';
	const isLeft = () => spawnSync(process.execPath, [script, '--check'], { cwd: work }).status !== 0;
	run(work, process.execPath, [script]);
	if (isLeft()) throw new Error(`${script} --check reports a sentence that it has not replaced.`);
	const isFirst = git(work, 'status', '--short') !== '';
	if (!isFirst) return;
	git(work, 'stash', '--quiet');
	if (!isLeft()) throw new Error(`${script} --check does not report a sentence that is marked.`);
	git(work, 'stash', 'pop', '--quiet');
	git(work, 'commit', '--quiet', '--all', '--message=docs: what is true from the first release on');
	git(work, 'push', '--quiet', 'origin', 'main');
}

function packPrevious(folder, from) {
	console.log(`\nBuild and pack the version to upgrade from: ${from}`);
	const work = path.join(folder, 'previous');
	clone(root, work);
	git(work, 'checkout', '--quiet', git(root, 'rev-parse', from));
	const { version } = readManifest(work);
	// A commit that was not released may have the version of the next release: it becomes a release candidate.
	if (!isReleased(version)) changeManifest(work, { version: `${version}-rc.0` });
	return pack(work);
}

/** Runs the tests in test/n8n/release. */
function install(previous, next) {
	console.log('\nInstall the tarball in a new n8n, and in an n8n with the previous version');
	const suites = path.join(root, 'test/n8n/release');
	const options = ['--config', 'test/n8n/jest.config.js', '--roots', suites];
	const tarballs = { PREVIOUS_TARBALL: previous, NEXT_TARBALL: next };
	run(root, path.join(modules, '.bin/jest'), options, tarballs);
}

function main() {
	const { values } = parseArgs({
		options: {
			version: { type: 'string' },
			from: { type: 'string' },
		},
	});
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-release-'));
	try {
		console.log('What npm needs to publish with provenance');
		run(root, process.execPath, ['scripts/checkProvenance.mjs']);
		const next = release(folder, values.version ?? nextVersion());
		install(packPrevious(folder, values.from ?? findPrevious()), next);
		console.log('\nThe rehearsal has passed. Nothing was published.');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

try {
	main();
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}

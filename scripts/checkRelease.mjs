/**
 * Checks that a version can be published: `node scripts/checkRelease.mjs v1.2.3`. The tag must match the
 * version in package.json, the change log must have a section for it, the owner must have replaced the
 * placeholders, and no document may say what is true only before the first release.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const read = (name) => readFileSync(path.join(root, name), 'utf8');

/** Somebody who may push tags, but not to the main branch, could otherwise publish what nobody has reviewed. */
const isOnMain = () =>
	spawnSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'], { cwd: root }).status === 0;

const [, , tag] = process.argv;
const { version, author, homepage, repository } = JSON.parse(read('package.json'));

const problems = [
	tag !== `v${version}` && `The tag is ${tag}, and the version in package.json is ${version}.`,
	!isOnMain() && 'The tagged commit is not on the branch main.',
	!read('CHANGELOG.md').includes(`\n## [${version}] - `) && `CHANGELOG.md has no section for ${version}.`,
	JSON.stringify([author, homepage, repository]).includes('example.org') &&
		'package.json still names example.org as the owner. RELEASING.md says what to set.',
].filter(Boolean);

for (const problem of problems) console.error(problem);
const sentences = spawnSync(process.execPath, ['scripts/firstRelease.mjs', '--check'], { cwd: root, stdio: 'inherit' });
process.exitCode = problems.length > 0 || sentences.status !== 0 ? 1 : 0;

/**
 * Runs an npm script on versions of Node.js in test/node/: `node scripts/testNodes.mjs <script> [version …]`, such as
 * `node scripts/testNodes.mjs test:smoke node-24`; by default on all of them. It installs them, and the package anew.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDER = path.join(ROOT, 'test/node');

const { dependencies } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
const [script, ...named] = process.argv.slice(2);

function npm(args, env = process.env) {
	const { status } = spawnSync('npm', args, { cwd: ROOT, env, stdio: 'inherit' });
	if (status !== 0) process.exit(1);
}

npm(['ci', '--prefix', FOLDER]);
for (const version of named.length > 0 ? named : Object.keys(dependencies)) {
	console.log(`\n${version}`);
	const bin = path.join(FOLDER, 'node_modules', version, 'bin');
	const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
	npm(['ci', '--engine-strict'], env);
	npm(['run', script], env);
}

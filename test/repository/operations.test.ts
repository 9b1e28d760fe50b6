import { spawnSync } from 'node:child_process';
import path from 'node:path';

const SCRIPT = path.resolve(__dirname, '../../scripts/docs.mjs');

test('the list of operations in the README is up to date, and each has a section on its page. Otherwise, run: npm run docs', () => {
	const { stderr, status } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
	expect([stderr, status]).toEqual(['', 0]);
});

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const SCRIPT = path.resolve(__dirname, '../../scripts/docs.mjs');

test('the lists of operations in the documents are up to date. Otherwise, run: npm run docs', () => {
	const { stderr, status } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
	expect([stderr, status]).toEqual(['', 0]);
});

/**
 * Sentences that are true only before the first release are marked in the documents, with what takes their place:
 * `<!-- first release: after -->before<!-- /first release -->`.
 *
 * - `node scripts/firstRelease.mjs` replaces them
 * - `node scripts/firstRelease.mjs --check` fails if one is left, also one that is not marked
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');

const MARKED = /<!-- first release:([^]*?)-->[^]*?<!-- \/first release -->/g;

const UNMARKED = /not published on npm|once the package is published|until the first release/i;

/** What these say of a first release is right at any time. */
const OTHERS = ['CHANGELOG.md', 'RELEASING.md'];

const list = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
const isCheck = process.argv.includes('--check');

for (const name of list.filter((file) => !OTHERS.includes(file))) {
	const file = path.join(ROOT, name);
	const text = readFileSync(file, 'utf8');
	const after = text.replace(MARKED, (_, replacement) => replacement.trim());
	if (isCheck && (after !== text || UNMARKED.test(text.replace(/\s+/g, ' ')))) {
		console.error(`${name} has a sentence that is true only before the first release. RELEASING.md says what to do.`);
		process.exitCode = 1;
	} else if (after !== text) {
		writeFileSync(file, await format(after, { ...(await resolveConfig(file)), parser: 'markdown' }));
		console.log(name);
	}
}

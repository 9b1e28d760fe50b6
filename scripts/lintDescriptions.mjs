/**
 * Lints the descriptions of the nodes and credentials as n8n sees them, with the rules of n8n's scan: they are built at
 * run time, where rules that read the source find nothing. Writes each as literals into a temporary package, and fails
 * with the findings that are new: `node scripts/lintDescriptions.mjs`, after a build.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ESLint } from 'eslint';
import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { n8n } = require('../package.json');

/** What stays as it is. */
const ACCEPTED = [
	// The resources have the names of the groups in the API documentation. The rule reports the first plural.
	"n8n-nodes-base/node-param-resource-with-plural-option: { name: 'Blocks', value: 'blocks', description: 'What a page consists of, such as titles and icons' },",
	// The symbol of milliseconds has small letters, as in the HTTP Request node of n8n.
	"n8n-nodes-base/node-param-display-name-miscased: displayName: 'Timeout (ms)',",
];

/** Returns the code of a type. Functions are left out: the rules of n8n read them in the source. */
function toCode(name, type) {
	const fields = Object.entries(type.description ? { 'description: INodeTypeDescription': type.description } : type);
	const literals = fields
		.map(([field, value]) => [field, JSON.stringify(value)])
		.filter(([, json]) => json !== undefined)
		.map(
			([field, json]) =>
				`${field} = ${json.replaceAll(/"(inputs|outputs)":\["main"\]/g, '"$1":[NodeConnectionTypes.Main]')};`,
		);
	const parent = type.description ? 'INodeType' : 'ICredentialType';
	return `import { type ${parent}, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

export class ${name} implements ${parent} {
${literals.join('\n')}
}`;
}

/** Writes the types into a package of their own. */
async function writePackage(folder) {
	const options = { ...(await resolveConfig(path.join(ROOT, 'nodes/a.ts'))), parser: 'typescript' };
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [name] = path.basename(file).split('.');
		const type = new (require(path.join(ROOT, file))[name])();
		const target = path.join(folder, file.replace('dist/', '').replace(/js$/, 'ts'));
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, await format(toCode(name, type), options));
	}
	for (const name of ['package.json', 'nodes/ProfilePage/profilePage.svg', 'nodes/ProfilePage/profilePage.dark.svg']) {
		cpSync(path.join(ROOT, name), path.join(folder, name));
	}
}

/** Returns each rule that finds something, with the line of the code. */
async function lint(folder, overrideConfig) {
	const eslint = new ESLint({ cwd: folder, allowInlineConfig: false, overrideConfigFile: true, overrideConfig });
	const results = await eslint.lintFiles(['nodes/**/*.ts', 'credentials/**/*.ts']);
	return results.flatMap(({ filePath, messages }) => {
		const lines = readFileSync(filePath, 'utf8').split('\n');
		return messages.map(({ ruleId, line }) => `${ruleId}: ${lines[line - 1].trim()}`);
	});
}

const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-lint-'));
// The scanner creates a temporary folder when it is loaded, and never removes it.
process.env.TMPDIR = folder;
// The rules ignore the names of files during tests.
delete process.env.NODE_ENV;
const { buildScanConfig } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
try {
	await writePackage(folder);
	const findings = await lint(folder, await buildScanConfig());
	const added = findings.filter((finding) => !ACCEPTED.includes(finding));
	const gone = ACCEPTED.filter((accepted) => !findings.includes(accepted));
	for (const difference of [...added, ...gone.map((each) => `Not found any more: ${each}`)]) {
		console.error(difference);
		process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true });
}

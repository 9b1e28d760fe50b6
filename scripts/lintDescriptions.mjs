/**
 * Lints the descriptions of the nodes and credentials as n8n sees them, with the rules of n8n's scan: they are built at
 * run time, where rules that read the source find nothing. Writes each as literals into a temporary package, and prints
 * the findings as JSON: `node scripts/lintDescriptions.mjs`, after a build.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ESLint } from 'eslint';
import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { n8n } = require('../package.json');

const toLiteral = (value) =>
	JSON.stringify(value).replaceAll(/"(inputs|outputs)":\["main"\]/g, '"$1":[NodeConnectionTypes.Main]');

const toNode = (
	name,
	{ description },
) => `import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

export class ${name} implements INodeType {
	description: INodeTypeDescription = ${toLiteral(description)};
}`;

/** Functions are left out: the rules of n8n read them in the source. */
const toCredential = (name, credential) => `import type { ICredentialType } from 'n8n-workflow';

export class ${name} implements ICredentialType {
${Object.entries(credential)
	.filter(([, value]) => JSON.stringify(value) !== undefined)
	.map(([field, value]) => `	${field} = ${toLiteral(value)};`)
	.join('\n')}
}`;

/** Writes the types into a package of their own. */
async function writePackage(folder) {
	const options = { ...(await resolveConfig(path.join(ROOT, 'nodes/a.ts'))), parser: 'typescript' };
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [name] = path.basename(file).split('.');
		const type = new (require(path.join(ROOT, file))[name])();
		const code = file.includes('/nodes/') ? toNode(name, type) : toCredential(name, type);
		const target = path.join(folder, file.replace('dist/', '').replace(/js$/, 'ts'));
		mkdirSync(path.dirname(target), { recursive: true });
		writeFileSync(target, await format(code, options));
	}
	cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
	for (const icon of ['profilePage.svg', 'profilePage.dark.svg']) {
		cpSync(path.join(ROOT, 'nodes/ProfilePage', icon), path.join(folder, 'nodes/ProfilePage', icon));
	}
}

async function lint(folder) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(['nodes/**/*.ts', 'credentials/**/*.ts']);
	return results.flatMap(({ filePath, messages }) => {
		const lines = readFileSync(filePath, 'utf8').split('\n');
		return messages.map(({ ruleId: rule, message, line }) => {
			return { file: path.basename(filePath), rule, message, code: lines[line - 1].trim() };
		});
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
	console.log(JSON.stringify(await lint(folder), null, 2));
} finally {
	rmSync(folder, { recursive: true });
}

/**
 * Writes the list of all operations in README.md, from the built node, between the markers `<!-- operations -->` and
 * `<!-- /operations -->`: `npm run docs`. With `--check`, writes nothing, and fails if the list is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');
const README = path.join(ROOT, 'README.md');

/** The page with a section for each operation. */
const PAGE = 'docs/operations.md';

const FIRST_SENTENCE = /^.*?(?=\. |$)/;
const LIST = /(?<=<!-- operations -->\n)[^]*(?=<!-- \/operations -->)/;

/** Returns the operations as the editor shows them, each with the name of its resource; those of API are the last. */
function readOperations() {
	const { ProfilePage } = createRequire(import.meta.url)('../dist/nodes/ProfilePage/ProfilePage.node.js');
	const { properties } = new ProfilePage().description;
	const resources = properties.find(({ name }) => name === 'resource').options;
	const operationsOf = (value) =>
		properties.find(({ name, displayOptions }) => name === 'operation' && displayOptions.show.resource.includes(value));
	return resources
		.toSorted((one, other) => (one.name === 'API') - (other.name === 'API'))
		.flatMap(({ name, value }) => operationsOf(value).options.map((operation) => ({ ...operation, resource: name })));
}

/** Returns a heading such as "Create a link" in a form that "Create Links" has too. */
const plain = (heading) =>
	heading
		.toLowerCase()
		.replace(/\b(?:an?|the) /g, '')
		.replace(/s$/, '');

const headings = [...readFileSync(path.join(ROOT, PAGE), 'utf8').matchAll(/^## (.+)$/gm)].map(([, each]) => each);
const lines = readOperations().map(({ resource, name, description }) => {
	const titles = [plain(name), plain(`${name} ${resource}`)];
	const heading = headings.find((each) => titles.includes(plain(each)));
	if (!heading) throw new Error(`${PAGE} has no section for ${resource}: ${name}.`);
	const [sentence] = FIRST_SENTENCE.exec(description);
	const link = `${PAGE}#${heading.toLowerCase().replaceAll(' ', '-')}`;
	return `- **${resource} → [${name}](${link}):** ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
});

const readme = readFileSync(README, 'utf8');
const text = readme.replace(LIST, () => `\n${lines.join('\n')}\n\n`);
const formatted = await format(text, { ...(await resolveConfig(README)), parser: 'markdown' });
if (!process.argv.includes('--check')) {
	writeFileSync(README, formatted);
} else if (formatted !== readme) {
	console.error('README.md: the list of operations is out of date. Run: npm run docs');
	process.exitCode = 1;
}

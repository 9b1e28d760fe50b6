/**
 * Writes the list of all operations in README.md, from the built node, between the markers `<!-- operations -->` and
 * `<!-- /operations -->`: `npm run docs`. With `--check`, writes nothing, and fails if the list is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');
const README = path.join(ROOT, 'README.md');

/** The page with a section for each operation. */
const PAGE = 'docs/operations.md';

/** The resource for everything that no other one has: the last one in the list. */
const LAST = 'API';

const FIRST_SENTENCE = /^.*?(?=\. |$)/;
const LIST = /(?<=<!-- operations -->\n)[^]*(?=<!-- \/operations -->)/;

/** Returns the operations as the editor shows them, each with the name of its resource. */
function readOperations() {
	const { ProfilePage } = createRequire(import.meta.url)('../dist/nodes/ProfilePage/ProfilePage.node.js');
	const { properties } = new ProfilePage().description;
	const resources = properties.find(({ name }) => name === 'resource').options;
	const operations = resources.flatMap(({ name: resource, value }) => {
		const { options } = properties.find(
			({ name, displayOptions }) => name === 'operation' && displayOptions.show.resource.includes(value),
		);
		return options.map((operation) => ({ ...operation, resource }));
	});
	const isLast = ({ resource }) => resource === LAST;
	return [...operations.filter((operation) => !isLast(operation)), ...operations.filter(isLast)];
}

const toSlug = (heading) => heading.toLowerCase().replaceAll(' ', '-');
const withoutArticles = (heading) => heading.toLowerCase().replace(/\b(?:an?|the) /g, '');
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the heading of the section about an operation, such as "Get many blocks". Throws if there is none. */
function findHeading({ name, resource }, headings) {
	const heading = headings.find((each) => [name, `${name} ${resource}`].some((title) => isSame(each, title)));
	if (!heading) throw new Error(`${PAGE} has no section for ${resource}: ${name}.`);
	return heading;
}

function isSame(heading, title) {
	const [one, other] = [heading, title].map(withoutArticles);
	return one === other || `${one}s` === other;
}

const headings = [...readFileSync(path.join(ROOT, PAGE), 'utf8').matchAll(/^## (.+)$/gm)].map(([, each]) => each);
const lines = readOperations().map((operation) => {
	const { resource, name, description } = operation;
	const [sentence] = FIRST_SENTENCE.exec(description);
	const link = `${PAGE}#${toSlug(findHeading(operation, headings))}`;
	return `- **${resource} → [${name}](${link}):** ${lowerFirst(sentence)}`;
});

const readme = readFileSync(README, 'utf8');
const text = readme.replace(LIST, () => `\n${lines.join('\n')}\n\n`);
const formatted = await format(text, { ...(await resolveConfig(README)), parser: 'markdown' });
const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values;
if (!check) {
	writeFileSync(README, formatted);
} else if (formatted !== readme) {
	console.error('README.md: the list of operations is out of date. Run: npm run docs');
	process.exitCode = 1;
}

/**
 * Writes what the documents list of all operations, from the built node: `npm run docs`. The lists are between markers
 * such as `<!-- operations -->`. With `--check`, writes nothing, and fails if a list is out of date.
 *
 * `node scripts/docs.mjs [--check] [folder]`: the folder of the documents, by default the repository.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..');

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const [folder = ROOT] = positionals;

/** The page with a section for each operation. */
const PAGE = 'docs/operations.md';

/** The resource for everything that no other one has: the last one in all lists. */
const LAST = 'API';

const FIRST_SENTENCE = /^.*?(?=\. |$)/;

const read = (name) => readFileSync(path.join(folder, name), 'utf8');

/** Returns the operations as the editor shows them, each with its resource and the fields that are its own. */
function readOperations() {
	const { ProfilePage } = createRequire(import.meta.url)('../dist/nodes/ProfilePage/ProfilePage.node.js');
	const { properties } = new ProfilePage().description;
	const resources = properties.find(({ name }) => name === 'resource').options;
	const operations = resources.flatMap((resource) => {
		const own = properties.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource.value));
		const isField = ({ name, type }) => name !== 'options' && type !== 'notice';
		return own
			.find(({ name }) => name === 'operation')
			.options.map((operation) => ({
				...operation,
				resource: resource.name,
				fields: own.filter((field) => field.displayOptions.show.operation?.includes(operation.value) && isField(field)),
			}));
	});
	const isLast = ({ resource }) => resource === LAST;
	return [...operations.filter((operation) => !isLast(operation)), ...operations.filter(isLast)];
}

/** The part of a page between two markers, with the blank lines around it. */
const between = (marker) => new RegExp(`(?<=<!-- ${marker} -->\n)[^]*(?=<!-- /${marker} -->)`);

function replace(text, marker, content) {
	if (!between(marker).test(text)) throw new Error(`There are no markers <!-- ${marker} --> and <!-- /${marker} -->.`);
	return text.replace(between(marker), () => (content ? `\n${content}\n\n` : '\n'));
}

const toSlug = (heading) => heading.toLowerCase().replaceAll(' ', '-');
const withoutArticles = (heading) => heading.toLowerCase().replace(/\b(?:an?|the) /g, '');
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the heading of the section that somebody has written about an operation; undefined if there is none. */
function findHeading({ name, resource, action }, page) {
	const written = page.replace(between('sections'), '');
	const headings = [...written.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
	const titles = [name, `${name} ${resource}`, action].map(withoutArticles);
	return headings.find((heading) => titles.includes(withoutArticles(heading)));
}

const toAnchor = (operation, page) => `#${toSlug(findHeading(operation, page) ?? operation.action)}`;

/** Descriptions of fields have links as HTML. */
const toMarkdown = (text = '') => text.replace(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/g, '[$2]($1)');

/** A section with what the editor says, for an operation without a written one. */
function toSection({ action, description, fields }) {
	const list = fields.map(({ displayName, description: about }) => {
		return about ? `- **${displayName}:** ${toMarkdown(about)}` : `- **${displayName}**`;
	});
	return [`## ${action}`, '', toMarkdown(description), '', ...list].join('\n').trim();
}

function listInReadme(operations, page) {
	const lines = operations.map((operation) => {
		const { resource, name, description } = operation;
		const [sentence] = FIRST_SENTENCE.exec(description);
		return `- **${resource} → [${name}](${PAGE}${toAnchor(operation, page)}):** ${lowerFirst(sentence)}`;
	});
	return lines.join('\n');
}

function listOnPage(operations, page) {
	const resources = [...new Set(operations.map(({ resource }) => resource))];
	const lines = resources.map((name) => {
		const own = operations.filter(({ resource }) => resource === name);
		const links = own.map((operation) => `[${operation.name}](${toAnchor(operation, page)})`);
		return `- **${name}:** ${links.join(', ')}`;
	});
	return lines.join('\n');
}

const operations = readOperations();
const page = read(PAGE);

/** The documents with their lists up to date, by their names. */
const documents = new Map([
	['README.md', replace(read('README.md'), 'operations', listInReadme(operations, page))],
	[
		PAGE,
		replace(
			replace(page, 'operations', listOnPage(operations, page)),
			'sections',
			operations
				.filter((operation) => !findHeading(operation, page))
				.map(toSection)
				.join('\n\n'),
		),
	],
]);

const options = { ...(await resolveConfig(path.join(ROOT, PAGE))), parser: 'markdown' };
for (const [name, text] of documents) {
	const formatted = await format(text, options);
	if (formatted === read(name)) continue;
	if (values.check) {
		console.error(`${name}: a list of operations is out of date. Run: npm run docs`);
		process.exitCode = 1;
	} else {
		writeFileSync(path.join(folder, name), formatted);
	}
}

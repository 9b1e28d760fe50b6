import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { MESSAGES_FILE } from '../support/messages';

const ROOT = path.resolve(__dirname, '../..');
const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const [ownMessages = ''] = page.split('\n## Messages of n8n\n');
const headings = [...ownMessages.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);

/** What the integration tests have seen, and the texts of the source: some of them have no test in n8n's engine. */
const messages = [
	readFileSync(MESSAGES_FILE, 'utf8'),
	...['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8').replace(/\$\{[^}]*\}/g, '…')),
	),
].join('\n');

/** Messages that are made of several texts of the source. They have tests in test/unit/. */
const COMPOSED = [
	'Block IDs: the "id" of entry … is empty',
	'Block IDs: entry … is the number …, which may have lost digits',
	'Body Parameters: "…" is missing',
	'Body Parameters: "…" is not a number',
	'Body Parameters: "…" is an invalid date',
	'Body Parameters: "…" is of type …, which JSON cannot contain',
	'There is no public link to show',
];

/** In a heading and in the messages, "…" and "#" stand for variable parts. What precedes a colon is the name of a field. */
function toPattern(heading: string): RegExp {
	const problem = heading.replace(/^[A-Z][\w ]*: /, '').replace(/^The service /, '');
	const escaped = problem.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
	return new RegExp(escaped.replace(/\d+/g, '(?:#|…|\\d+)').replace(/…/g, '.*'), 'i');
}

test('each heading of docs/troubleshooting.md is a message of the package', () => {
	const unknown = headings.filter((heading) => !toPattern(heading).test(messages));
	expect(unknown.filter((heading) => !COMPOSED.includes(heading))).toEqual([]);
});

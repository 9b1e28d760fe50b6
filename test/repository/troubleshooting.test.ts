import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { MESSAGES_FILE, WITHOUT_ADVICE } from '../support/messages';

const ROOT = path.resolve(__dirname, '../..');
const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const [ownEntries = ''] = page.split('\n## Messages of n8n\n');

/** The messages that the page explains: its headings of the third level. */
const explained = [...ownEntries.matchAll(/^### (.+)$/gm)].map(([, message = '']) => message);

const seen = readFileSync(MESSAGES_FILE, 'utf8').split('\n');

/** What the integration tests have seen, and the texts of the source: some of them have no test in n8n's engine. */
const messages = [
	...seen,
	...['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8').replace(/\$\{[^}]*\}/g, '…')),
	),
].join('\n');

/** On the page and in the messages, "…" and "#" stand for variable parts. */
function toPattern(message: string): RegExp {
	const escaped = message.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
	return new RegExp(escaped.replace(/\d+/g, '(?:#|…|\\d+)').replace(/…/g, '.*'), 'i');
}

test('a message comes with a description that says what to do, says so itself, or is explained in docs/troubleshooting.md', () => {
	const unadvised = seen.filter((line) => line.endsWith(WITHOUT_ADVICE));
	expect(unadvised).not.toHaveLength(0);
	const texts = unadvised.map((line) => line.slice(0, -WITHOUT_ADVICE.length));
	const unclear = texts.filter((text) => !text.includes(': the value must be ') && !explained.includes(text));
	expect(unclear).toEqual([]);
});

test('each message that docs/troubleshooting.md explains is one of the package', () => {
	expect(explained).not.toHaveLength(0);
	const unknown = explained.filter((message) => !toPattern(message).test(messages));
	expect(unknown).toEqual([]);
});

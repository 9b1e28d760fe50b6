import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { operations, properties } from '../../nodes/ProfilePage/resources';

const read = (name: string) => readFileSync(path.resolve(__dirname, '../..', name), 'utf8');

const readme = read('README.md');
const page = read('docs/operations.md');
const api = read('docs/api.md');

const [resourceField] = properties;
const resources = resourceField?.options as INodePropertyOptions[];

const rows = [...operations].map(([key, { shown }]) => {
	const resource = resources.find(({ value }) => key.startsWith(`${value}:`))!.name;
	return { resource, operation: shown.name };
});

/** Returns the links that the documents give for an operation, in the lines of its resource. */
function findLinks(document: string, { resource, operation }: (typeof rows)[number]): string[] {
	const lines = document.split('\n').filter((line) => line.startsWith(`- **${resource}`));
	const links = lines.join('\n').matchAll(/\[([^\]]+)\]\(([^)]*#[\w-]+)\)/g);
	return [...links].flatMap(([, name, link = '']) => (name === operation ? [link] : []));
}

describe.each(rows)('The operation $resource: $operation', (row) => {
	test('is listed in the README, with a link to its section', () => {
		expect(findLinks(readme, row)).toEqual([expect.stringMatching(/^docs\/operations\.md#/)]);
	});

	test('is in the list at the beginning of docs/operations.md, with a link to its section', () => {
		expect(findLinks(page, row)).toEqual([expect.stringMatching(/^#/)]);
	});

	test('has a row in docs/api.md that says what it is based on', () => {
		const start = `| ${row.resource}: ${row.operation} `;
		expect(api.split('\n').filter((line) => line.startsWith(start))).toHaveLength(1);
	});
});

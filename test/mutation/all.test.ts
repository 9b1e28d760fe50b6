/**
 * Runs all tests of the node and its credentials as one file, so that each mutant loads n8n's engine
 * once. Tests that kill many mutants quickly come first, slow ones last.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

// Before any test loads the built node.
import '../support/pauses';

const TESTS = path.resolve(__dirname, '..');
const FIRST = ['integration/description'];
const LAST = ['examples', 'fields', 'manyItems', 'retries', 'retryOnFail', 'tokens', 'responses', 'trigger'].map(
	(name) => `integration/${name}`,
);

const ORDER = [...FIRST, '', ...LAST];
const rank = (name: string) => ORDER.indexOf(ORDER.includes(name) ? name : '');

const names = ['unit', 'integration']
	.flatMap((folder) =>
		readdirSync(path.join(TESTS, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
	)
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => file.replace('.test.ts', ''))
	// It takes half a minute, too long to run it for each mutant.
	.filter((name) => name !== 'integration/memory')
	.sort((a, b) => rank(a) - rank(b));

describe.each(names)('%s', (name) => {
	jest.requireActual(path.join(TESTS, `${name}.test.ts`));
});

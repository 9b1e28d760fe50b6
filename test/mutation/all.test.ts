/**
 * Every test of the node and its credentials in one file, so that n8n's engine is loaded once for each
 * mutant and not once for each file of tests. Those to which most mutants fall, and quickly, come
 * first; the ones that take their time come last.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

const FIRST = ['integration/description', 'integration/package'];
const LAST = [
	'cancellation',
	'fields',
	'manyPages',
	'retries',
	'retryOnFail',
	'tokenSharing',
	'manyPagesModel',
].map((name) => `integration/${name}`);
/** They wait for the time limits of half a minute, or run thousands of items, and find no more. */
const LEFT_OUT = ['integration/timeLimits', 'integration/sizes'];

const ORDER = [...FIRST, '', ...LAST];
const rank = (name: string) => ORDER.indexOf(ORDER.includes(name) ? name : '');

const names = ['unit', 'integration']
	.flatMap((folder) =>
		readdirSync(path.join(__dirname, '..', folder))
			.filter((file) => file.endsWith('.test.ts'))
			.map((file) => `${folder}/${path.basename(file, '.test.ts')}`),
	)
	.filter((name) => !LEFT_OUT.includes(name))
	.sort((a, b) => rank(a) - rank(b));

for (const name of names) {
	describe(name, () => {
		jest.requireActual(path.join(__dirname, '..', `${name}.test.ts`));
	});
}

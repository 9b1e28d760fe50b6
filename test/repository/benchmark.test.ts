import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

const DOCUMENTS = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
	name.endsWith('.md'),
);

/** Such as "0.35 times as long" or "3 times as fast". */
const CLAIM = /(\d+(?:\.\d+)?) times as (?:long|fast|much|many)/g;

test('each figure about speed in the documents is one of the results of the benchmark', () => {
	const measured = new Set(read('bench/README.md').match(/\d+(?:\.\d+)?/g));
	const claims = DOCUMENTS.flatMap((name) =>
		[...read(name).matchAll(CLAIM)].map(([claim, figure = '']) => ({ name, claim, figure })),
	);
	expect(claims.filter(({ figure }) => !measured.has(figure))).toEqual([]);
});

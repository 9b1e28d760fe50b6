import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

interface Job {
	strategy?: { matrix: { part: string[] } };
	steps: Array<{ run?: string }>;
}

test('the jobs of ci.yml run the parts of .ci/run, each of them once, and no other command', () => {
	const [, parts = ''] = /\$\{1:-([\w ]+)\}/.exec(read('.ci/run')) ?? [];
	const { jobs } = parse(read('.github/workflows/ci.yml')) as { jobs: Record<string, Job> };
	const commands = Object.values(jobs).flatMap(({ strategy, steps }) => {
		const run = steps.flatMap((step) => step.run ?? []);
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

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SCRIPT = path.resolve(__dirname, '../../scripts/lintWorkflows.mjs');

const COMMIT = 'a'.repeat(40);
const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1';

/** Returns a workflow with one job, and with other triggers, permissions, or text at the end if they are given. */
function workflow(
	job: string,
	{ on = '{ push: { branches: [main] } }', permissions = '{ contents: read }', end = '' } = {},
) {
	return `name: Test\non: ${on}\npermissions: ${permissions}\njobs:\n  test:\n    runs-on: ubuntu-latest\n${job}\n${end}`;
}

const step = (lines: string) => workflow(`    steps:\n      - ${lines}`);
const run = (command: string) => step(`run: ${command}`);
const steps = '    steps:\n      - run: npm test';
const reusable = (uses: string, others = '') =>
	`name: Test\non: { pull_request: }\npermissions: { contents: read }\njobs:\n  test:\n    uses: ${uses}\n${others}`;

test('npm run lint accepts the workflows of the repository', () => {
	expect(spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

const accepted: Array<[what: string, text: string]> = [
	['an action of GitHub with a commit', step(`uses: ${CHECKOUT} # v1.2.3`)],
	['a reusable workflow of the repository', reusable('./.github/workflows/ci.yml')],
	['the container of the tests', workflow(`    container: node:20.19-bookworm\n${steps}`)],
	['commands of the repository', run('|\n          npm ci --engine-strict\n          npm run setup:n8n -- n8n@latest')],
	['a script of the repository', run('node scripts/checkRelease.mjs "$GITHUB_REF_NAME"')],
	['an expression without a choice of others', workflow(`    name: \${{ github.ref }}\n${steps}`)],
];

const refused: Array<[what: string, text: string, where: string]> = [
	['a branch of an action', step('uses: actions/checkout@main'), 'jobs.test.steps.0.uses'],
	['a tag of an action', step('uses: actions/checkout@v1'), 'jobs.test.steps.0.uses'],
	['a commit that may be of a fork', step(`uses: actions/checkout@${COMMIT}`), 'jobs.test.steps.0.uses'],
	[
		'an input that changes what is checked out',
		step(`uses: ${CHECKOUT}\n        with: { repository: a/b }`),
		'jobs.test.steps.0.with.repository',
	],
	['an action of others', step(`uses: a/b@${COMMIT}`), 'jobs.test.steps.0.uses'],
	['an action that runs a script of its own', step(`uses: actions/github-script@${COMMIT}`), 'jobs.test.steps.0.uses'],
	['an action of the repository', step('uses: ./.github/actions/build'), 'jobs.test.steps.0.uses'],
	['an action image', step('uses: docker://alpine:3'), 'jobs.test.steps.0.uses'],
	['an escaped key', step('"\\u0075ses": a/b@main'), 'jobs.test.steps.0.uses'],
	['a value on the next line', step('uses: >-\n          a/b@main'), 'jobs.test.steps.0.uses'],
	['an alias', workflow('    name: &action a/b@main\n    steps:\n      - uses: *action'), 'jobs.test.steps.0.uses'],
	['another container', workflow(`    container: node:20\n${steps}`), 'jobs.test.container'],
	[
		'a container with rights',
		workflow(`    container: { image: node:20.19-bookworm, options: --privileged }\n${steps}`),
		'jobs.test.container',
	],
	['a service', workflow(`    services: { redis: redis }\n${steps}`), 'jobs.test'],
	[
		'another runner',
		workflow(`    runs-on: self-hosted\n${steps}`).replace('    runs-on: ubuntu-latest\n', ''),
		'jobs.test.runs-on',
	],
	['a shell of its own', step('run: npm test\n        shell: a {0}'), 'jobs.test.steps.0'],
	['a variable for a command', step('run: npm test\n        env: { NODE_OPTIONS: a }'), 'jobs.test.steps.0'],
	['a variable for all commands', workflow(steps, { end: 'env: { NODE_OPTIONS: a }\n' }), ''],
	['another folder', step('run: npm test\n        working-directory: a'), 'jobs.test.steps.0'],
	['a merge key', workflow(`    <<: {}\n${steps}`), 'jobs.test'],
	['no permissions', workflow(steps).replace(/permissions.*\n/, ''), 'permissions'],
	['a permission to write', workflow(steps, { permissions: '{ contents: write }' }), 'permissions.contents'],
	['all permissions', workflow(steps, { permissions: 'write-all' }), 'permissions'],
	['permissions of a job', workflow(`    permissions: { contents: read }\n${steps}`), 'jobs.test'],
	['the identity of the workflow', workflow(`    permissions: { id-token: write }\n${steps}`), 'jobs.test'],
	['an environment with secrets', workflow(`    environment: npm\n${steps}`), 'jobs.test'],
	[
		'a secret of an action',
		step(`uses: ${CHECKOUT}\n        with: { path: "\${{ secrets.NPM }}" }`),
		'jobs.test.steps.0.with.path',
	],
	[
		'the token of the workflow',
		step(`uses: ${CHECKOUT}\n        with: { path: "\${{ github.token }}" }`),
		'jobs.test.steps.0.with.path',
	],
	[
		'the title of a pull request',
		workflow(`    name: \${{ github.event.pull_request.title }}\n${steps}`),
		'jobs.test.name',
	],
	['a trigger with secrets', workflow(steps, { on: '{ pull_request_target: }' }), 'on'],
	['a trigger that anybody causes', workflow(steps, { on: '{ issue_comment: }' }), 'on'],
	['a trigger in a list', workflow(steps, { on: '[push, workflow_run]' }), 'on'],
	['another reusable workflow', reusable(`a/b/.github/workflows/ci.yml@${COMMIT}`), 'jobs.test.uses'],
	['a reusable workflow with secrets', reusable('./.github/workflows/ci.yml', '    secrets: inherit\n'), 'jobs.test'],
];

const refusedCommands: Array<[what: string, text: string]> = [
	['a package that is downloaded', run('npx -y a@1.2.3')],
	['a package of npm exec', run('npm exec --package=a -- b')],
	['a package that is installed', run('npm i -g a')],
	['another registry', run('npm ci --registry=https://example.com')],
	['a download', run('curl -sSf https://example.com/install.sh -o install.sh')],
	['a shell', run('bash install.sh')],
	['an inline script', run('node -e 1')],
	['a script elsewhere', run('node scripts/../a.mjs')],
	['another command on the line', run('npm ci && npm run build')],
	['another command later', run('|\n          npm ci\n          npx a@next')],
	['another command in an argument', run('npm run build -- $(a)')],
	['a template', run('npm run build -- ${{ github.head_ref }}')],
	['a continued line', run('|\n          npm test \\\n            --evil')],
];

const UNLISTED_COMMAND = 'jobs.test.steps.0.run: scripts/lintWorkflows.mjs: contains a command that is not listed';

/** The findings of all cases, which are linted together. */
let findings: string[];
beforeAll(() => {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-workflows-'));
	mkdirSync(path.join(folder, 'workflows'));
	for (const [what, text] of [...accepted, ...refused, ...refusedCommands]) {
		writeFileSync(path.join(folder, 'workflows', `${what}.yml`), text);
	}
	const { stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	findings = stderr.split('\n');
});

/** Returns what is found in a workflow, without its name. */
function findingsIn(what: string): string[] {
	const start = `workflows/${what}.yml: `;
	return findings.filter((finding) => finding.startsWith(start)).map((finding) => finding.slice(start.length));
}

test.each([
	['a job', '    needs: checks\n', '    needs: checks\n    if: always()\n'],
	['a step', '- run: npm ci\n', '- run: npm ci\n        if: false\n'],
	['a failure', '- run: npm ci\n', '- run: npm ci\n        continue-on-error: true\n'],
])('npm run lint reports that a release could skip %s', (_what, from, to) => {
	const workflows = path.join(mkdtempSync(path.join(tmpdir(), 'profile-page-release-')), 'workflows');
	mkdirSync(workflows);
	const text = readFileSync(path.resolve(__dirname, '../../.github/workflows/publish.yml'), 'utf8');
	writeFileSync(path.join(workflows, 'publish.yml'), text.replace(from, to));
	const { stderr } = spawnSync(process.execPath, [SCRIPT, path.dirname(workflows)], { encoding: 'utf8' });
	rmSync(path.dirname(workflows), { recursive: true });
	expect(stderr).toMatch(/^workflows\/publish\.yml: jobs\.pack[\w.]*: scripts\/lintWorkflows\.mjs: /m);
});

test.each(accepted)('npm run lint accepts %s', (what) => {
	expect(findingsIn(what)).toEqual([]);
});

test.each(refused)('npm run lint reports %s', (what, _text, where) => {
	const own = findingsIn(what).filter((finding) => finding.startsWith(`${where}: scripts/lintWorkflows.mjs: `));
	expect(own).toHaveLength(1);
});

test.each(refusedCommands)('npm run lint reports a command that is not in its list: %s', (what) => {
	expect(findingsIn(what)).toContain(UNLISTED_COMMAND);
});

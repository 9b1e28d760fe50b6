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
	['commands of the repository', run('|\n          npm ci --engine-strict\n          npm run setup:n8n -- n8n@latest')],
];

const refused: Array<[what: string, text: string, where: string]> = [
	['a branch of an action', step('uses: actions/checkout@main'), 'jobs.test.steps.0.uses'],
	[
		'an input that changes what is checked out',
		step(`uses: ${CHECKOUT}\n        with: { repository: a/b }`),
		'jobs.test.steps.0.with.repository',
	],
	['an action of others', step(`uses: a/b@${COMMIT}`), 'jobs.test.steps.0.uses'],
	['another container', workflow(`    container: node:20\n${steps}`), 'jobs.test.container'],
	['a service', workflow(`    services: { redis: redis }\n${steps}`), 'jobs.test'],
	['a variable for a command', step('run: npm test\n        env: { NODE_OPTIONS: a }'), 'jobs.test.steps.0'],
	['no permissions', workflow(steps).replace(/permissions.*\n/, ''), 'permissions'],
	['a permission to write', workflow(steps, { permissions: '{ contents: write }' }), 'permissions.contents'],
	['the identity of the workflow', workflow(`    permissions: { id-token: write }\n${steps}`), 'jobs.test'],
	[
		'a secret of an action',
		step(`uses: ${CHECKOUT}\n        with: { path: "\${{ secrets.NPM }}" }`),
		'jobs.test.steps.0.with.path',
	],
	['a trigger with secrets', workflow(steps, { on: '{ pull_request_target: }' }), 'on'],
	['another reusable workflow', reusable(`a/b/.github/workflows/ci.yml@${COMMIT}`), 'jobs.test.uses'],
];

const refusedCommands: Array<[what: string, text: string]> = [
	['a package that is downloaded', run('npx -y a@1.2.3')],
	['a download', run('curl -sSf https://example.com/install.sh -o install.sh')],
	['a shell', run('bash install.sh')],
	['another command on the line', run('npm ci && npm run build')],
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

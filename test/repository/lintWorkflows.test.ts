import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SCRIPT = path.resolve(__dirname, '../../scripts/lintWorkflows.mjs');

const COMMIT = 'a'.repeat(40);
const DIGEST = `sha256:${'b'.repeat(64)}`;

const workflow = (job: string) => `on: push
permissions: {}
jobs:
  test:
    runs-on: ubuntu-latest
${job}
`;

const step = (uses: string) => workflow(`    steps:\n      - ${uses}`);
const run = (command: string) => workflow(`    steps:\n      - run: ${command}`);
const steps = '    steps:\n      - run: npm test';

test('npm run lint accepts the workflows of the repository', () => {
	expect(spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

const accepted: Array<[what: string, text: string]> = [
	['an action with a commit and its version', step(`uses: a/b@${COMMIT} # v1.2.3`)],
	['an action of the repository', step('uses: ./.github/actions/build')],
	['a reusable workflow of the repository', 'on: push\njobs:\n  test:\n    uses: ./.github/workflows/ci.yml\n'],
	['an action image with a digest', step(`uses: docker://alpine@${DIGEST}`)],
	['a container with a digest', workflow(`    container: node:20@${DIGEST}\n${steps}`)],
	['commands of the repository', run('|\n          npm ci --engine-strict\n          npm run setup:n8n -- n8n@latest')],
	['a script of the repository', run('node scripts/checkRelease.mjs "$GITHUB_REF_NAME"')],
	['the identity of the workflow', workflow(`    permissions:\n      id-token: write\n${steps}`)],
];

const refused: Array<[what: string, text: string]> = [
	['a branch', step('uses: a/b@main')],
	['a tag', step('uses: a/b@v1')],
	['a commit without its version', step(`uses: a/b@${COMMIT}`)],
	['a quoted key', step('"uses": a/b@main')],
	['a key with a space after it', step('uses : a/b@main')],
	['an explicit key', step('? uses\n        : a/b@main')],
	['an escaped key', step('"\\u0075ses": a/b@main')],
	['a flow mapping', step('{uses: a/b@main}')],
	['a value on the next line', step('uses:\n          a/b@main')],
	['a block value', step('uses: >-\n          a/b@main')],
	['an alias', workflow(`    env:\n      A: &action a/b@main\n    steps:\n      - uses: *action`)],
	['a pinned action in a comment', step(`uses: a/b@main # uses: a/b@${COMMIT} # v1`)],
	['an action image with a tag', step('uses: docker://alpine:3')],
	['a container', workflow(`    container: node:20\n${steps}`)],
	['a container with an image', workflow(`    container:\n      image: node:20\n${steps}`)],
	['a service', workflow(`    services:\n      redis:\n        image: redis:7\n${steps}`)],
	['an action elsewhere in the repository', step('uses: ./tools/build')],
	['an action outside of the actions', step('uses: ./.github/actions/../../tools')],
	['a shell of its own', workflow('    steps:\n      - run: npm test\n        shell: a {0}')],
	['a variable for the commands', workflow('    env:\n      NODE_OPTIONS: a\n    steps:\n      - run: npm test')],
	['a permission to write', workflow(`    permissions:\n      contents: write\n${steps}`)],
	['all permissions', workflow(`    permissions: write-all\n${steps}`)],
	['a trigger with secrets', `on: pull_request_target\njobs: {}\n`],
	['a trigger with secrets in a list', `on: [push, workflow_run]\njobs: {}\n`],
	['a trigger with secrets and options', `on:\n  pull_request_target:\n    types: [opened]\njobs: {}\n`],
	['a merge key', workflow(`    <<: {}\n${steps}`)],
	['a reusable workflow', 'on: push\njobs:\n  test:\n    uses: a/b/.github/workflows/ci.yml@main\n'],
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

/** Actions of the repository, of which only the last is accepted. */
const action = (step: string) => `name: a\nruns:\n  using: composite\n  steps:\n    - ${step}\n`;
const actions: Record<string, string> = {
	'build/action.yml': action('uses: a/b@main'),
	'deep/er/action.yaml': action('run: npx -y a\n      shell: bash'),
	'pinned/action.yml': action(`uses: a/b@${COMMIT} # v1.2.3`),
};

/** The findings of all cases, which are linted together. */
let findings: string[];
beforeAll(() => {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-workflows-'));
	const write = (name: string, text: string) => {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), text);
	};
	for (const [what, text] of [...accepted, ...refused, ...refusedCommands]) write(`workflows/${what}.yml`, text);
	for (const [name, text] of Object.entries(actions)) write(`actions/${name}`, text);
	const { stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	findings = stderr.split('\n');
});

const findingsIn = (what: string) => findings.filter((finding) => finding.startsWith(`workflows/${what}.yml:`));

test.each(accepted)('npm run lint accepts %s', (what) => {
	expect(findingsIn(what)).toEqual([]);
});

test.each(refused)('npm run lint reports %s', (what) => {
	expect(findingsIn(what)).toContainEqual(
		expect.stringMatching(/\.yml:\d+:\d+: scripts\/lintWorkflows\.mjs does not accept \S+/),
	);
});

test.each(refusedCommands)('npm run lint reports a command that is not in its list: %s', (what) => {
	expect(findingsIn(what)).toContainEqual(
		expect.stringMatching(/\.yml:\d+:\d+: scripts\/lintWorkflows\.mjs does not accept run: /),
	);
});

test('npm run lint reads the actions of the repository, and needs none', () => {
	expect(findings.filter((finding) => finding.startsWith('actions/'))).toEqual([
		'actions/build/action.yml:5:13: scripts/lintWorkflows.mjs does not accept uses: a/b@main',
		'actions/deep/er/action.yaml:5:12: scripts/lintWorkflows.mjs does not accept run: npx -y a',
		'actions/deep/er/action.yaml:6:7: scripts/lintWorkflows.mjs does not accept shell',
	]);
});

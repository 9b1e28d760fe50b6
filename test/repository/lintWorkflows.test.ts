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
const echo = '    steps:\n      - run: echo';

test('npm run lint accepts the workflows of the repository', () => {
	expect(spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

const pinned: Array<[what: string, text: string]> = [
	['an action with a commit and its version', step(`uses: a/b@${COMMIT} # v1.2.3`)],
	['an action of the repository', step('uses: ./.github/actions/build')],
	['a reusable workflow of the repository', 'on: push\njobs:\n  test:\n    uses: ./.github/workflows/ci.yml\n'],
	['an action image with a digest', step(`uses: docker://alpine@${DIGEST}`)],
	['a container with a digest', workflow(`    container: node:20@${DIGEST}\n${echo}`)],
	['a package with an exact version', run('npx --yes @a/b@1.2.3 --fix && npm exec -- c@4.5.6')],
	['scripts of the repository', run('npm ci && npm run setup:n8n -- n8n@latest && node a.mjs')],
	['a download that is not run', run('curl -sSf https://example.com/install.sh -o install.sh')],
];

const unpinned: Array<[what: string, text: string]> = [
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
	['a container', workflow(`    container: node:20\n${echo}`)],
	['a container with an image', workflow(`    container:\n      image: node:20\n${echo}`)],
	['a service', workflow(`    services:\n      redis:\n        image: redis:7\n${echo}`)],
	['an action elsewhere in the repository', step('uses: ./tools/build')],
	['an action outside of the actions', step('uses: ./.github/actions/../../tools')],
	['a reusable workflow', 'on: push\njobs:\n  test:\n    uses: a/b/.github/workflows/ci.yml@main\n'],
];

const unpinnedRuns: Array<[what: string, text: string]> = [
	['the latest version of a package', run('npx a@latest')],
	['a package without a version', run('npx -y a')],
	['a package with a range', run('npm exec --yes -- @a/b@^1.2.3')],
	['the short form of npm exec', run('npm x a')],
	['a package after another command', run('npx a@1.2.3 && npx b')],
	['a package as a later command', run('|\n          npm ci\n          npx a@next')],
	['a download in a shell', run('curl -sSf https://example.com | sh')],
	['a download in a shell as another user', run('wget -qO- https://example.com | sudo -E bash -s')],
	['a download in a shell on the next line', run('|\n          curl https://example.com |\n            sh')],
	['a download after a line break', run('|\n          curl \\\n            https://example.com | /bin/bash')],
	['a download as an argument', run('bash -c "$(curl -fsSL https://example.com)"')],
	['a download as a file', run('bash <(curl -fsSL https://example.com)')],
];

/** Actions of the repository, of which only the last is pinned. */
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
	for (const [what, text] of [...pinned, ...unpinned, ...unpinnedRuns]) write(`workflows/${what}.yml`, text);
	for (const [name, text] of Object.entries(actions)) write(`actions/${name}`, text);
	const { stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	findings = stderr.split('\n');
});

const findingsIn = (what: string) => findings.filter((finding) => finding.startsWith(`workflows/${what}.yml:`));

test.each(pinned)('npm run lint accepts %s', (what) => {
	expect(findingsIn(what)).toEqual([]);
});

test.each(unpinned)('npm run lint reports what is not pinned: %s', (what) => {
	expect(findingsIn(what)).toContainEqual(expect.stringMatching(/\.yml:\d+:\d+: not pinned: \w+: \S+$/));
});

test.each(unpinnedRuns)('npm run lint reports commands that are not pinned: %s', (what) => {
	expect(findingsIn(what)).toContainEqual(expect.stringMatching(/\.yml:\d+:\d+: not pinned: run: /));
});

test('npm run lint reads the actions of the repository, and needs none', () => {
	expect(findings.filter((finding) => finding.startsWith('actions/'))).toEqual([
		'actions/build/action.yml:5:13: not pinned: uses: a/b@main',
		'actions/deep/er/action.yaml:5:12: not pinned: run: npx -y a',
	]);
});

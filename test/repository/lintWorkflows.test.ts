import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const echo = '    steps:\n      - run: echo';

test('npm run lint accepts the workflows of the repository', () => {
	expect(spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

const pinned: Array<[what: string, text: string]> = [
	['an action with a commit and its version', step(`uses: a/b@${COMMIT} # v1.2.3`)],
	['an action of the repository', step('uses: ./.github/actions/build')],
	['an action image with a digest', step(`uses: docker://alpine@${DIGEST}`)],
	['a container with a digest', workflow(`    container: node:20@${DIGEST}\n${echo}`)],
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
	['a reusable workflow', 'on: push\njobs:\n  test:\n    uses: a/b/.github/workflows/ci.yml@main\n'],
];

/** The findings of all cases, which are linted together. */
let findings: string[];
beforeAll(() => {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-workflows-'));
	for (const [what, text] of [...pinned, ...unpinned]) writeFileSync(path.join(folder, `${what}.yml`), text);
	const { stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	findings = stderr.split('\n');
});

const findingsIn = (what: string) => findings.filter((finding) => finding.startsWith(`${what}.yml:`));

test.each(pinned)('npm run lint accepts %s', (what) => {
	expect(findingsIn(what)).toEqual([]);
});

test.each(unpinned)('npm run lint reports what is not pinned: %s', (what) => {
	expect(findingsIn(what)).toContainEqual(expect.stringMatching(/\.yml:\d+:\d+: not pinned: \w+: \S+$/));
});

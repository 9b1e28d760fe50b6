import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const DOCUMENTS = ['README.md', 'docs/operations.md', 'docs/api.md'];

const runDocs = (...args: string[]) =>
	spawnSync(process.execPath, [path.join(ROOT, 'scripts/docs.mjs'), ...args], { encoding: 'utf8' });

test('the lists of operations in the documents are up to date. Otherwise, run: npm run docs', () => {
	expect(runDocs('--check')).toMatchObject({ stderr: '', status: 0 });
});

describe('npm run docs', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
		mkdirSync(path.join(folder, 'docs'));
		for (const name of DOCUMENTS) cpSync(path.join(ROOT, name), path.join(folder, name));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

	/** Removes the lines of a document that contain something. */
	function removeLines(name: string, pattern: string): void {
		writeFileSync(path.join(folder, name), read(name).replace(new RegExp(`^.*${pattern}.*\n`, 'gm'), ''));
	}

	test('lists an operation that the documents lack, which --check reports', () => {
		removeLines('README.md', '\\*\\*Groups →');
		removeLines('docs/operations.md', '\\*\\*Groups:|## Get many groups');
		removeLines('docs/api.md', 'Groups: Get Many');
		const { status, stderr } = runDocs('--check', folder);
		expect(status).toBe(1);
		const outdated = DOCUMENTS.map((name) => `${name}: a list of operations is out of date. Run: npm run docs\n`);
		expect(stderr).toBe(outdated.join(''));

		expect(runDocs(folder).status).toBe(0);
		expect(read('README.md')).toContain(
			'- **Groups → [Get Many](docs/operations.md#get-many-groups):** get the groups',
		);
		expect(read('docs/operations.md')).toContain('- **Groups:** [Get Many](#get-many-groups)\n');
		// The table keeps what it says of other operations.
		expect(read('docs/api.md')).toMatch(/^\| Blocks: Get Many +\| The path in your credential;/m);
		expect(read('docs/api.md')).toMatch(/^\| Groups: Get Many +\| What its source file says +\|$/m);
		// Nobody has written a section, so the page shows what the editor says.
		const [, sections = ''] = read('docs/operations.md').split('<!-- sections -->');
		expect(sections).toContain(
			'\n## Get many groups\n\nGet the groups that links can belong to\n\n- **Return All:** Whether to return all',
		);
	});
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import manifest from '../../package.json';

const ROOT = path.resolve(__dirname, '../..');

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.split('\n')
	.filter((name) => name && existsSync(path.join(ROOT, name)));
const documents = tracked.filter((name) => name.endsWith('.md'));

test('links in documents lead to files and headings that exist', () => {
	const { stderr } = spawnSync(
		path.join(ROOT, 'node_modules/.bin/remark'),
		[...documents, '--quiet', '--no-stdout', '--use', 'remark-validate-links=repository:false'],
		{ cwd: ROOT, encoding: 'utf8' },
	);
	expect(stderr).toBe('');
});

test.each(documents)('no row of a table in %s is longer than 120 characters', (document) => {
	const rows = read(document)
		.split('\n')
		.filter((line) => /^\s*\|/.test(line));
	expect(rows.filter(({ length }) => length > 120)).toEqual([]);
});

describe('the cookbook', () => {
	const cookbook = read('examples/README.md');
	const sections = [...cookbook.matchAll(/^### (.+)\n\n\[Workflow\]\(([\w-]+\.json)\)/gm)].map(
		([, heading = '', file = '']) => [file, heading] as const,
	);

	test('has a section and a row of its table for each example, under the name that it has in n8n', () => {
		const files = tracked.filter((name) => /^examples\/[\w-]+\.json$/.test(name)).map((name) => path.basename(name));
		expect(sections.map(([file]) => file).toSorted()).toEqual(files.toSorted());
		for (const [file, heading] of sections) {
			const { name } = JSON.parse(read(`examples/${file}`)) as { name: string };
			expect(name.toLowerCase()).toBe(`profile page: ${heading.toLowerCase()}`);
			expect(cookbook).toContain(`| [${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`);
		}
	});
});

/** The names that a page for contributors has in code spans, outside blocks of code: as `name(` those that are called. */
function namesIn(document: string): Set<string> {
	const spans = read(document)
		.replace(/^```[^]*?^```/gm, '')
		.matchAll(/`([^`]+)`/g);
	const codes = [...spans].map(([, code = '']) => code).filter((code) => !/^(npm|npx) |[=:]|^\/|'/.test(code));
	return new Set(codes.flatMap((code) => code.match(/[A-Za-z_]\w{3,}\(?/g) ?? []));
}

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('the names in code in %s exist', (document) => {
	const code = tracked.filter((name) => /\.(ts|mjs|js|json|cjs)$/.test(name) && !name.endsWith('lock.json'));
	const texts = [...code, ...code.map(read)];
	const known = new Set(texts.flatMap((text) => [...(text.match(/\w+/g) ?? []), ...(text.match(/\w+\(/g) ?? [])]));
	expect([...namesIn(document)].filter((name) => !known.has(name))).toEqual([]);
});

test.each(documents)('every npm script that %s mentions exists', (document) => {
	// scripts/testNodes.mjs runs a script on another Node.js.
	const text = read(document).replace('node scripts/testNodes.mjs', 'npm run');
	const named = [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|test)/g)].map(([, name = 'test']) => name);
	expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test("the owner's email, homepage, and repository appear only in package.json", () => {
	const { author, homepage, repository } = manifest;
	const site = new URL(homepage).host;
	const values = [author.email, homepage, repository.url, site];
	const repeating = tracked.filter(
		(name) =>
			name !== 'package.json' &&
			/\.(md|ts|mjs|js|json|yml|html|svg)$/.test(name) &&
			values.some((value) => read(name).includes(value)),
	);
	expect(repeating).toEqual([]);
});

import { execFileSync, spawnSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PAGE = path.resolve(__dirname, '../../docs/installation.md');
const OURS = 'n8n-nodes-profile-page';
const OTHER = 'n8n-nodes-other';

describe('the script that docs/installation.md has for an image', () => {
	let root: string;
	beforeEach(() => {
		root = mkdtempSync(path.join(tmpdir(), 'image-'));
		for (const folder of ['opt', 'home/.n8n/nodes']) mkdirSync(path.join(root, folder), { recursive: true });
		writeFileSync(path.join(root, 'opt/start-n8n.sh'), readScript());
		writeFileSync(path.join(root, 'docker-entrypoint.sh'), '#!/bin/sh\necho "n8n starts: $*"\n', { mode: 0o755 });
	});
	afterEach(() => rmSync(root, { recursive: true }));

	/** Returns the script of the page, with the root of the image in a folder. */
	function readScript(): string {
		const [, script = ''] = /^```sh\n(#!\/bin\/sh\n.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
		return script.replace(/(?<![\w"$/}.])\/(?=opt\/|docker-entrypoint)/g, `${root}/`);
	}

	const nodes = () => path.join(root, 'home/.n8n/nodes');
	const archive = () => path.join(root, 'opt', `${OURS}.tgz`);

	/** Packs a package with one file, as npm does, and returns the path of the archive. */
	function pack(name: string, version: string): string {
		const folder = path.join(root, `${name}-${version}`);
		mkdirSync(path.join(folder, 'package'), { recursive: true });
		writeFileSync(path.join(folder, 'package/package.json'), JSON.stringify({ name, version }));
		writeFileSync(path.join(folder, `package/${version}.js`), '');
		execFileSync('tar', ['-czf', `${folder}.tgz`, '-C', folder, 'package/package.json', `package/${version}.js`]);
		return `${folder}.tgz`;
	}

	function npmInstall(file: string): void {
		execFileSync('npm', ['install', file, '--offline', '--loglevel=error'], { cwd: nodes() });
	}

	/** Puts an archive into the image. */
	function build(version = '2.0.0'): void {
		copyFileSync(pack(OURS, version), archive());
	}

	/** Starts a container. */
	function start(): { status: number | null; stdout: string; stderr: string } {
		const { status, stdout, stderr } = spawnSync('sh', [path.join(root, 'opt/start-n8n.sh'), 'worker', 'a b'], {
			env: { PATH: process.env.PATH, HOME: path.join(root, 'home') },
			encoding: 'utf8',
		});
		return { status, stdout, stderr };
	}

	const STARTED = { status: 0, stdout: 'n8n starts: worker a b\n', stderr: '' };

	/** The files of each package that n8n would load. */
	function installed(): Record<string, string[]> {
		const modules = path.join(nodes(), 'node_modules');
		const names = existsSync(modules) ? readdirSync(modules).filter((name) => name !== '.package-lock.json') : [];
		return Object.fromEntries(names.map((name) => [name, readdirSync(path.join(modules, name)).sort()]));
	}

	const files = (version: string) => [`${version}.js`, 'package.json'];

	test('installs the package into an empty volume, and starts n8n with its arguments', () => {
		build();
		expect(start()).toEqual(STARTED);
		expect(installed()).toEqual({ [OURS]: files('2.0.0') });
	});

	test('installs it next to a package that npm has installed, also if npm knows an older version of ours', () => {
		npmInstall(pack(OTHER, '1.0.0'));
		build();
		expect(start()).toEqual(STARTED);
		expect(installed()).toEqual({ [OURS]: files('2.0.0'), [OTHER]: files('1.0.0') });
		npmInstall(pack(OURS, '1.0.0'));
		expect(installed()[OURS]).toEqual(files('1.0.0'));
		expect(start()).toEqual(STARTED);
		expect(installed()).toEqual({ [OURS]: files('2.0.0'), [OTHER]: files('1.0.0') });
	}, 60_000);

	test('replaces an older version, and leaves the same version as it is', () => {
		build('1.0.0');
		start();
		build();
		for (let count = 0; count < 2; count += 1) {
			expect(start()).toEqual(STARTED);
			expect(installed()).toEqual({ [OURS]: files('2.0.0') });
		}
	});

	test.each<[name: string, breakArchive: () => void]>([
		['is missing', () => rmSync(archive())],
		['contains no package', () => execFileSync('tar', ['-czf', archive(), '-C', root, 'docker-entrypoint.sh'])],
	])('stops before n8n starts if the file %s, and keeps what is installed', (_, breakArchive) => {
		build('1.0.0');
		start();
		breakArchive();
		const { status, stdout, stderr } = start();
		expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
		expect(stderr).toContain(`${OURS} was not installed: `);
		expect(installed()[OURS]).toEqual(files('1.0.0'));
		build();
		expect(start()).toEqual(STARTED);
		expect(installed()).toEqual({ [OURS]: files('2.0.0') });
	});
});

/**
 * Runs the scan of n8n's verification offline, on the source and on the packed tarball. Its own CLI
 * requires a published package, and exits with 0 even if it reports problems.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-scan-'));

function unpackTarball() {
	const options = { cwd: root, encoding: 'utf8' };
	const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], options);
	const [{ filename, files }] = JSON.parse(printed);
	execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', folder]);
	console.log(`Packed ${files.length} files into ${filename}`);
	return path.join(folder, 'package');
}

async function scan(name, directory, patterns) {
	const { passed, message, details } = await analyzePackage(directory, patterns);
	console.log(passed ? `${name}: passed` : `${name}: ${message}\n${details ?? ''}`);
	if (!passed) process.exitCode = 1;
}

try {
	await scan('Source', root, SOURCE_FILE_PATTERNS);
	await scan('Tarball', unpackTarball(), ['**/*.js', 'package.json']);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

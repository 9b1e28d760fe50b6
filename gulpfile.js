const { execFile } = require('node:child_process');
const { readFile, rm, writeFile } = require('node:fs/promises');
const { promisify } = require('node:util');

const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);

function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** Source maps map the coverage of the built code to its source (`SOURCE_MAPS=1`). */
const sourceMaps = process.env.SOURCE_MAPS ? ['--inlineSourceMap'] : [];

async function compile() {
	try {
		const compiler = require.resolve('typescript/bin/tsc');
		await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...sourceMaps]);
	} catch (error) {
		// The compiler reports errors on stdout, which gulp would not show.
		throw new Error(error.stdout || error.message);
	}
}

/** Fills in the address of the repository, so that package.json is the only file that names it. */
async function documentationUrls() {
	const { n8n, repository } = JSON.parse(await readFile('package.json', 'utf8'));
	const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
	for (const file of [...n8n.credentials, ...n8n.nodes.map((node) => node.replace(/js$/, 'json'))]) {
		const text = await readFile(file, 'utf8');
		await writeFile(file, text.replaceAll('https://REPOSITORY', address));
	}
}

function icons() {
	return src('nodes/**/*.svg', { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Beside a compiled node, n8n reads its categories and aliases, and what each operation returns. */
function metadata() {
	return src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], { base: '.' }).pipe(dest('dist'));
}

exports.clean = clean;
exports.default = series(clean, parallel(compile, icons, metadata), documentationUrls);

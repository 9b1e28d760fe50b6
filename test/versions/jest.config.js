const path = require('node:path');

const base = require('../../jest.config.js');

/** Contains the n8n-core and n8n-workflow to test with. */
const modules = path.join(process.env.N8N_VERSION_FOLDER, 'node_modules');

/** The tests of the package and of the runner, with a version of n8n's engine. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: path.resolve(__dirname, '../..'),
	roots: ['<rootDir>/test/integration', '<rootDir>/test/runner'],
	moduleNameMapper: { '^(n8n-core|n8n-workflow|@n8n/di)(/.*)?$': `${modules}/$1$2` },
};

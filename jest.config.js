const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// test/n8n has its own configuration, and n8n itself in its node_modules.
	roots: ['integration', 'runner', 'repository', 'sandbox', 'unit'].map((folder) => `<rootDir>/test/${folder}`),
	globalSetup: '<rootDir>/test/support/globalSetup.ts',
	globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
	setupFiles: ['<rootDir>/test/support/setup.ts'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	// Integration tests load the built package, as n8n does; source maps lead back to the source.
	coverageProvider: 'v8',
	collectCoverageFrom: ['credentials/**/*.ts', 'nodes/**/*.ts', 'dist/**/*.js'],
	coverageReporters: ['text'],
	// Many tests wait: for requests, and for processes that they start.
	maxWorkers: availableParallelism() * 2,
	testTimeout: 20_000,
	// A worker that ends first frees up to a gigabyte. Jest would kill it after half a second, and take that for a leak.
	workerGracefulExitTimeout: 10_000,
};

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// Jest does not crawl n8n in node_modules.
	roots: ['<rootDir>/suite'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	globalSetup: '<rootDir>/support/packageUnderTest.ts',
	testTimeout: 240_000,
	// The suites mostly wait for n8n.
	maxWorkers: 2,
	// Unlike child processes, threads always end with this process, and the programs they started with them.
	workerThreads: true,
	slowTestThreshold: 0,
	verbose: true,
};

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// test/n8n has a configuration of its own: its node_modules holds a whole n8n.
	roots: ['integration', 'runner', 'repository', 'sandbox', 'unit'].map(
		(folder) => `<rootDir>/test/${folder}`,
	),
	globalSetup: '<rootDir>/test/support/globalSetup.ts',
	globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
	setupFiles: ['<rootDir>/test/support/setup.ts'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	// The engine tests load what is built, as n8n does; source maps lead back to the source.
	coverageProvider: 'v8',
	collectCoverageFrom: ['credentials/**/*.ts', 'nodes/**/*.ts', 'dist/**/*.js'],
	coverageReporters: ['text'],
	testTimeout: 20_000,
};

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	// The engine tests load the built package as n8n does; a unit test reads the source.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts', 'dist/**/*.js'],
	testTimeout: 20_000,
};

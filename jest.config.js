/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// test/n8n has a configuration of its own: its node_modules holds a whole n8n.
	roots: ['engine', 'repository', 'sandbox', 'unit'].map((folder) => `<rootDir>/test/${folder}`),
	transform: { '^.+\\.ts$': '@swc/jest' },
	// The engine tests load the built package as n8n does; a unit test reads the source.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts', 'dist/**/*.js'],
	testTimeout: 20_000,
};

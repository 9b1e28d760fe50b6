/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// Not the whole folder: its node_modules holds a whole n8n.
	roots: ['<rootDir>/suite'],
	transform: { '^.+\\.ts$': '@swc/jest' },
	globalSetup: '<rootDir>/support/beforeAll.ts',
	testTimeout: 120_000,
	// Parts wait a good deal, so two run at a time. Each is told with how long it took.
	maxWorkers: 2,
	// Threads, not processes: when this process ends, however it does, all that they started ends too.
	workerThreads: true,
	slowTestThreshold: 0,
	verbose: true,
};

import { availableParallelism } from 'node:os';

import jest from './jest.config.js';

/**
 * Mutation tests of the node and its credentials (`npm run mutants`). Results are kept, so the next run
 * tests only what has changed.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['credentials/**/*.ts', 'nodes/**/*.ts'],
	testRunner: 'jest',
	// Integration tests load the built package, as n8n does.
	buildCommand: 'npm run build',
	coverageAnalysis: 'perTest',
	jest: {
		enableFindRelatedTests: false,
		config: {
			...jest,
			roots: ['<rootDir>/test/mutation'],
			testEnvironment: './test/mutation/environment.cjs',
			// A mutant that never answers is killed by the first test that waits for it.
			testTimeout: 5_000,
		},
	},
	ignorePatterns: ['/bench', '/docs/pictures', '/test/n8n/logs', '/test/node', '/test/versions', '/dist'],
	// Tests wait part of the time.
	concurrency: Math.ceil(availableParallelism() * 1.5),
	timeoutMS: 5_000,
	timeoutFactor: 1.25,
	// Each run of Jest leaves memory behind, up to gigabytes, which slows down later runs.
	maxTestRunnerReuse: 25,
	thresholds: { high: 95, low: 90, break: 85 },
	incremental: true,
	incrementalFile: '.stryker/incremental.json',
	reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
	htmlReporter: { fileName: '.stryker/report.html' },
	jsonReporter: { fileName: '.stryker/report.json' },
	tempDirName: '.stryker/work',
};

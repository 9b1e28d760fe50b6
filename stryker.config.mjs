import jest from './jest.config.js';

/**
 * Breaks the code of the node and its credentials in one place after another, and sees whether a test
 * notices (`npm run mutants`). Results are kept, so that the next run looks only at what has changed.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['credentials/**/*.ts', 'nodes/**/*.ts'],
	testRunner: 'jest',
	// The engine tests load what is built, as n8n does.
	buildCommand: 'npm run build',
	coverageAnalysis: 'perTest',
	jest: {
		enableFindRelatedTests: false,
		config: {
			...jest,
			roots: ['<rootDir>/test/mutation'],
			testEnvironment: './test/mutation/environment.cjs',
			testTimeout: 10_000,
		},
	},
	ignorePatterns: ['/bench', '/docs', '/test/n8n', '/test/versions', '/dist'],
	timeoutMS: 10_000,
	thresholds: { high: 95, low: 90, break: 85 },
	incremental: true,
	incrementalFile: '.stryker/incremental.json',
	reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
	htmlReporter: { fileName: '.stryker/report.html' },
	jsonReporter: { fileName: '.stryker/report.json' },
	tempDirName: '.stryker/work',
};

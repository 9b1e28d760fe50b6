const { TestEnvironment } = require('jest-environment-node');

/** Skips the remaining tests of a file after a failure: one failure kills a mutant. */
module.exports = class extends TestEnvironment {
	#hasFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		// After a failed beforeAll, its tests have an error, and must count as failed.
		const isRemaining = name === 'test_start' && this.#hasFailed && test.errors.length === 0;
		if (isRemaining) test.mode = 'skip';
	}
};

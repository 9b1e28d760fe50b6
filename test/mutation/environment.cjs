const { TestEnvironment } = require('jest-environment-node');

/** Skips the remaining tests of a file after a failure: one failure kills a mutant. */
module.exports = class extends TestEnvironment {
	#hasFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};

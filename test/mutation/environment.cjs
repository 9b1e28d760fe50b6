const { TestEnvironment } = require('jest-environment-node');

/** Skips what is left of a file once a test has failed: one failure is enough to kill a mutant. */
module.exports = class extends TestEnvironment {
	#hasFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};

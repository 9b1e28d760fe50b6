import { ExplainedError } from '../../nodes/ProfilePage/shared/errors';

/** Returns the advice of the error that a call throws. */
export function adviceOf(call: () => unknown): string {
	try {
		call();
	} catch (error) {
		if (error instanceof ExplainedError) return error.advice;
		throw error;
	}
	throw new Error('It threw nothing');
}

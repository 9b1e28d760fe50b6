import { Failed, type Failure } from '../../nodes/ProfilePage/service/failure';

/** Returns the failure that a reader of a field throws. */
export function failureOf(call: () => unknown): Failure {
	try {
		call();
	} catch (error) {
		if (error instanceof Failed) return error.failure;
		throw error;
	}
	throw new Error('It threw nothing');
}

/** Returns the advice of that failure. */
export function adviceOf(call: () => unknown): string {
	return failureOf(call).advice ?? '';
}

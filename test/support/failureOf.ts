import { Failure, type FailureData } from '../../nodes/ProfilePage/shared/failure';

/** Returns what is known of the failure that a reader of a field throws. */
export function failureOf(call: () => unknown): FailureData {
	try {
		call();
	} catch (error) {
		if (error instanceof Failure) return error.data;
		throw error;
	}
	throw new Error('It threw nothing');
}

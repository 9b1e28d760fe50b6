/** A request that the service refuses, and why. */
export abstract class RefusedRequest extends Error {
	/** The HTTP status of the answer. */
	abstract readonly statusCode: number;
}

/** A request that the service can't do anything with. */
export class BadRequest extends RefusedRequest {
	readonly statusCode = 400;
}

/** A request that was meant for another host (RFC 9110, section 15.5.20). */
export class MisdirectedRequest extends RefusedRequest {
	readonly statusCode = 421;
}

/**
 * A request for what the account does not have. The status is not documented, but clients of the
 * public service expect answers of status 200 that say that they failed.
 */
export class NotThere extends RefusedRequest {
	readonly statusCode = 200;
}

/**
 * The status of the response to a request that failed: that of a request that the service or the
 * framework refuses, such as 413 for a body that is too large, and 500 for any other error.
 */
export function statusOf(error: unknown): number {
	if (error instanceof RefusedRequest) return error.statusCode;
	if (!(error instanceof Error && 'statusCode' in error)) return 500;
	const { statusCode } = error;
	return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : 500;
}

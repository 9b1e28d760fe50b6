/** A request that the service refuses, and why. */
export abstract class RefusedRequest extends Error {
	/** The HTTP status of the answer. */
	abstract readonly statusCode: number;
}

/** A request that the service can't do anything with. */
export class BadRequest extends RefusedRequest {
	readonly statusCode = 400;
}

/**
 * A request for what the account does not have. The status is not documented, but clients of the
 * public service expect answers of status 200 that say that they failed.
 */
export class NotThere extends RefusedRequest {
	readonly statusCode = 200;
}

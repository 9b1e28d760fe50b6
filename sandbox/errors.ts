/** A request that the service refuses, and why. */
export abstract class RefusedRequest extends Error {
	abstract readonly statusCode: number;
}

/** A request that the service can't do anything with: it answers with 400. */
export class BadRequest extends RefusedRequest {
	readonly statusCode = 400;
}

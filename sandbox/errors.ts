import type { FastifyRequest } from 'fastify';

export class BadRequest extends Error {
	readonly statusCode = 400;
}

export class Forbidden extends Error {
	readonly statusCode = 403;
}

/** A rejected token request (RFC 6749, section 5.2), or a call without a valid token (RFC 6750, section 3.1). */
export class OAuthError extends Error {
	readonly statusCode: number;

	/** @param code such as `invalid_grant` */
	constructor(
		readonly code: string,
		message: string,
	) {
		super(message);
		this.statusCode = ['invalid_client', 'invalid_token'].includes(code) ? 401 : 400;
	}
}

/**
 * A group, or a link to edit, does not exist. The response is not documented: the sandbox reports the
 * failure with status 200, as the service does in some cases (docs/api.md, section 2.1).
 */
export class NotFound extends Error {
	readonly statusCode = 200;
}

/** Returns the message for a request to an unknown path, without the query, which may contain secrets. */
export function unknownPath({ method, url }: FastifyRequest): string {
	const [path] = url.split('?');
	return `There is no ${method} ${path}.`;
}

/** Returns the HTTP status for an error of the sandbox or of the framework (such as 413), and 500 for others. */
export function statusOf(error: unknown): number {
	const isKnown = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
	return isKnown ? (error.statusCode as number) : 500;
}

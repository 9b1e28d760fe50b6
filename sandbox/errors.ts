import type { FastifyRequest } from 'fastify';

/** An error that determines the HTTP status of the response. */
export abstract class HttpError extends Error {
	abstract readonly statusCode: number;
}

export class BadRequest extends HttpError {
	readonly statusCode = 400;
}

export class Forbidden extends HttpError {
	readonly statusCode = 403;
}

/** A rejected token request (RFC 6749, section 5.2), or a call without a valid token (RFC 6750, section 3.1). */
export class OAuthError extends HttpError {
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

/** The request is meant for another host (RFC 9110, section 15.5.20). */
export class MisdirectedRequest extends HttpError {
	readonly statusCode = 421;
}

/**
 * A group, or a link to edit, does not exist. The response is not documented: the sandbox reports the
 * failure with status 200, as the service does in some cases (docs/api.md, section 2.1).
 */
export class NotFound extends HttpError {
	readonly statusCode = 200;
}

/** Returns the message for a request to an unknown path, without the query, which may contain secrets. */
export function unknownPath({ method, url }: FastifyRequest): string {
	const [path] = url.split('?');
	return `There is no ${method} ${path}.`;
}

/**
 * Returns the HTTP status for an error: its own, that of an error of the framework (such as 413), or
 * 500.
 */
export function statusOf(error: unknown): number {
	if (error instanceof HttpError) return error.statusCode;
	if (!(error instanceof Error && 'statusCode' in error)) return 500;
	const { statusCode } = error;
	return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : 500;
}

import { BadRequest } from '../errors';
import type { Fields } from '../form';
import { isLoopback } from '../network';
import type { Registration } from './apps';
import { SCOPE } from './tokenRequest';

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest {
	redirectUri: string;
	/** Empty if the app sends none. */
	state: string;
	/** By the method S256 (RFC 7636, section 4.3); undefined if the app does not use PKCE. */
	codeChallenge?: string;
}

/** An error that is returned to the app by a redirect (RFC 6749, section 4.1.2.1). */
export class AuthorizationError extends Error {
	/** The URL to redirect the browser to. */
	readonly location: string;

	constructor({ redirectUri, state }: AuthorizationRequest, error: string, description: string) {
		super(description);
		this.location = redirectUrl(redirectUri, { error, error_description: description, state });
	}
}

/** Adds parameters to the redirect URI, except empty ones. */
export function redirectUrl(redirectUri: string, parameters: Record<string, string>): string {
	const url = new URL(redirectUri);
	for (const [name, value] of Object.entries(parameters)) {
		if (value) url.searchParams.set(name, value);
	}
	return url.href;
}

/** The path of n8n's redirect URI. */
const CALLBACK_PATH = '/rest/oauth2-credential/callback';

/**
 * Returns a check that accepts the listed redirect URIs and those of an n8n on this machine, on any
 * port (RFC 8252, section 7.3). A fragment is never allowed (RFC 6749, section 3.1.2).
 */
export function redirectUriCheck(listed: readonly string[]): (uri: string) => boolean {
	return (uri) => {
		if (!/^https?:\/\/[!-~]+$/i.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false;
		const { hostname, pathname, username, password } = new URL(uri);
		const isLocal = isLoopback(hostname) && pathname.endsWith(CALLBACK_PATH) && !username && !password;
		return isLocal || listed.includes(uri);
	};
}

/**
 * Reads the query of the authorize URL.
 *
 * @throws BadRequest if the app or its redirect URI is unknown: the browser must not be redirected
 * @throws AuthorizationError if anything else is invalid
 */
export function readAuthorizationRequest(query: Fields, registration: Registration): AuthorizationRequest {
	const { client_id: clientId, redirect_uri: redirectUri, state, code_challenge: codeChallenge } = query;
	if (clientId !== registration.publicApp.clientId) {
		throw new BadRequest('The client_id is missing, or not that of the public app.');
	}
	if (typeof redirectUri !== 'string' || !registration.isRedirectUri(redirectUri)) {
		const advice = 'Use an n8n on this machine, or start the sandbox with --redirect-uri.';
		throw new BadRequest(`The redirect_uri is not allowed. ${advice}`);
	}
	const request = { redirectUri, state: typeof state === 'string' ? state : '' };
	if (query.response_type !== 'code') {
		throw new AuthorizationError(request, 'unsupported_response_type', 'The only response_type is code.');
	}
	if (query.scope && query.scope !== SCOPE) {
		throw new AuthorizationError(request, 'invalid_scope', `The only scope is ${SCOPE}.`);
	}
	if (codeChallenge === undefined) return request;
	// RFC 7636, section 4.4.1.
	const isHash = typeof codeChallenge === 'string' && /^[\w-]{43}$/.test(codeChallenge);
	if (isHash && query.code_challenge_method === 'S256') return { ...request, codeChallenge };
	throw new AuthorizationError(request, 'invalid_request', 'The code_challenge is no hash, or its method is not S256.');
}

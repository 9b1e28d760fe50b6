import type { Fields } from '../form';
import { isLoopback } from '../network';
import type { Registration } from './apps';
import { SCOPE } from './tokenRequest';

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest {
	redirectUri: string;
	state: string;
	/** By the method S256 (RFC 7636, section 4.3); undefined if the app does not use PKCE. */
	codeChallenge?: string;
}

/** The errors that are returned to the app (RFC 6749, section 4.1.2.1). */
export type AuthorizationErrorCode =
	'access_denied' | 'invalid_request' | 'invalid_scope' | 'unsupported_response_type';

/** A request that may not come from the app, so the browser must not be redirected. */
export class UntrustedRequest extends Error {}

/** An error that is returned to the app by a redirect. */
export class AuthorizationError extends Error {
	constructor(
		readonly error: AuthorizationErrorCode,
		description: string,
		readonly redirectUri: string,
		readonly state: string,
	) {
		super(description);
	}

	/** The URL to redirect the browser to. */
	get location(): string {
		const { error, message, state } = this;
		return redirectUrl(this.redirectUri, { error, error_description: message, state });
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
 * @throws UntrustedRequest if the app or its redirect URI is unknown
 * @throws AuthorizationError if anything else is invalid
 */
export function readAuthorizationRequest(query: Fields, registration: Registration): AuthorizationRequest {
	if (query.client_id !== registration.publicApp.clientId) {
		throw new UntrustedRequest('The client_id is missing, or not that of the public app.');
	}
	const redirectUri = readRedirectUri(query.redirect_uri, registration);
	const state = typeof query.state === 'string' ? query.state : '';
	const error = (code: AuthorizationErrorCode, description: string) =>
		new AuthorizationError(code, description, redirectUri, state);

	for (const name of ['response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method']) {
		if (Array.isArray(query[name])) {
			throw error('invalid_request', `The parameter ${name} is given more than once.`);
		}
	}
	if (!query.response_type) throw error('invalid_request', 'The response_type is missing.');
	if (query.response_type !== 'code') {
		throw error('unsupported_response_type', 'The only response_type is code.');
	}
	if (query.scope && query.scope !== SCOPE) {
		throw error('invalid_scope', `The only scope is ${SCOPE}.`);
	}
	// RFC 6749 only recommends a state, but without one the app cannot detect a forged response. Its
	// characters: appendix A.5.
	if (!/^[ -~]+$/.test(state)) {
		throw error('invalid_request', 'The state is missing or contains characters other than ASCII.');
	}
	return { redirectUri, state, codeChallenge: readCodeChallenge(query, error) };
}

/** Throws what `error` returns if PKCE is used in another way than by S256 (RFC 7636, section 4.4.1). */
function readCodeChallenge(query: Fields, error: (code: AuthorizationErrorCode, description: string) => Error) {
	const { code_challenge: challenge, code_challenge_method: method } = query;
	if (challenge === undefined) return undefined;
	if (typeof challenge !== 'string' || !/^[\w~.-]{43,128}$/.test(challenge) || method !== 'S256') {
		throw error('invalid_request', 'The code_challenge is invalid, or its method is not S256.');
	}
	return challenge;
}

function readRedirectUri(redirectUri: unknown, { isRedirectUri }: Registration): string {
	if (typeof redirectUri === 'string' && isRedirectUri(redirectUri)) return redirectUri;
	throw new UntrustedRequest(
		`The redirect_uri ${String(redirectUri)} is not allowed. Use an n8n on this machine, or start the sandbox with --redirect-uri.`,
	);
}

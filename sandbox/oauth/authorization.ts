import type { FastifyInstance, FastifyRequest } from 'fastify';

import { BadRequest } from '../errors';
import { formOf, queryOf } from '../form';
import { html } from '../page/html';
import { sendPage } from '../page/layout';
import { isLoopback } from '../websites';
import type { OAuth } from './oauth';
import { SCOPE } from './tokenRequest';

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest {
	redirectUri: string;
	/** Empty if the app sends none. */
	state: string;
	/** By the method S256 (RFC 7636, section 4.3); undefined if the app does not use PKCE. */
	codeChallenge?: string;
}

/** The authorize URL (docs/api.md, section 3). */
const PATH = '/manage/access';

/** The path of n8n's redirect URI. */
const CALLBACK_PATH = '/rest/oauth2-credential/callback';

/**
 * Registers the page on which the owner of the account allows or denies a public app access (RFC 6749, section 4.1). Nobody
 * has to sign in. The form keeps the query of the authorize URL, which is validated again. It needs no CSRF token: the
 * sandbox rejects every form of another site.
 */
export function registerConsent(server: FastifyInstance, oauth: OAuth): void {
	const { clientId } = oauth.apps.publicApp;
	server.get(PATH, async (request, reply) => {
		const main = html`<form method="post" action="${request.url}">
			<p>
				The app <strong>${clientId}</strong> requests access to the account. It will be able to see the profile, manage
				links, and reorder the blocks on pages.
			</p>
			<p>You will be redirected to ${new URL(readRequest(request, clientId).redirectUri).origin}.</p>
			<button name="decision" value="allow">Allow</button>
			<button name="decision" value="deny">Deny</button>
		</form>`;
		return await sendPage(reply, 'Allow access to the account?', main);
	});
	server.post(PATH, async (request, reply) => {
		const authorization = readRequest(request, clientId);
		const url = new URL(authorization.redirectUri);
		const answer: Record<string, string> =
			formOf(request).decision === 'allow'
				? { code: oauth.issueCode(authorization) }
				: { error: 'access_denied', error_description: 'The account owner denied the app access.' };
		for (const [name, value] of Object.entries({ ...answer, state: authorization.state })) {
			url.searchParams.set(name, value);
		}
		return await reply.redirect(url.href, 303);
	});
}

/**
 * Reads the query of the authorize URL.
 *
 * @throws BadRequest if anything is invalid: the sandbox says it to the user, and redirects nowhere
 */
function readRequest(request: FastifyRequest, publicClientId: string): AuthorizationRequest {
	const query = queryOf(request);
	const { redirect_uri: redirectUri, state, code_challenge: codeChallenge } = query;
	if (query.client_id !== publicClientId) {
		throw new BadRequest('The client_id is missing, or not that of the public app.');
	}
	if (typeof redirectUri !== 'string' || !isRedirectUri(redirectUri)) {
		throw new BadRequest('The redirect_uri is not allowed. Use an n8n on this machine.');
	}
	if (query.response_type !== 'code') throw new BadRequest('The only response_type is code.');
	if (query.scope && query.scope !== SCOPE) throw new BadRequest(`The only scope is ${SCOPE}.`);
	const authorization = { redirectUri, state: typeof state === 'string' ? state : '' };
	if (codeChallenge === undefined) return authorization;
	// RFC 7636, section 4.4.1.
	const isHash = typeof codeChallenge === 'string' && /^[\w-]{43}$/.test(codeChallenge);
	if (isHash && query.code_challenge_method === 'S256') return { ...authorization, codeChallenge };
	throw new BadRequest('The code_challenge is no hash, or its method is not S256.');
}

/**
 * Accepts the redirect URIs of an n8n on this machine, on any port (RFC 8252, section 7.3). A fragment is never allowed
 * (RFC 6749, section 3.1.2).
 */
function isRedirectUri(uri: string): boolean {
	if (!/^https?:\/\/[!-~]+$/i.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false;
	const { hostname, pathname, username, password } = new URL(uri);
	return isLoopback(hostname) && pathname.endsWith(CALLBACK_PATH) && !username && !password;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { formOf, queryOf } from '../form';
import { html } from '../page/html';
import { sendPage } from '../page/layout';
import { AuthorizationError, readAuthorizationRequest, redirectUrl } from './authorization';
import type { OAuth } from './oauth';

/** The authorize URL (docs/api.md, section 3). */
const PATH = '/manage/access';

/**
 * Registers the page on which the owner of the account allows or denies a public app access (RFC 6749, section 4.1). Nobody
 * has to sign in. The form keeps the query of the authorize URL, which is validated again. It needs no CSRF token: the
 * sandbox rejects every form of another site.
 */
export function registerConsent(server: FastifyInstance, oauth: OAuth): void {
	const { registration } = oauth;
	const read = (request: FastifyRequest) => readAuthorizationRequest(queryOf(request), registration);
	void server.register((routes, _options, done) => {
		routes.setErrorHandler(async (error, _request, reply) => {
			if (!(error instanceof AuthorizationError)) throw error;
			return await reply.redirect(error.location, 303);
		});
		routes.get(PATH, async (request, reply) => {
			const main = html`<form method="post" action="${request.url}">
				<p>
					The app <strong>${registration.publicApp.clientId}</strong> requests access to the account. It will be able to
					see the profile, manage links, and reorder the blocks on pages.
				</p>
				<p>You will be redirected to ${new URL(read(request).redirectUri).origin}.</p>
				<button name="decision" value="allow">Allow</button>
				<button name="decision" value="deny">Deny</button>
			</form>`;
			return await sendPage(reply, 'Allow access to the account?', main);
		});
		routes.post(PATH, async (request, reply) => {
			const authorization = read(request);
			if (formOf(request).decision !== 'allow') {
				throw new AuthorizationError(authorization, 'access_denied', 'The account owner denied the app access.');
			}
			const { redirectUri, state } = authorization;
			const code = oauth.issueCode(authorization);
			return await reply.redirect(redirectUrl(redirectUri, { code, state }), 303);
		});
		done();
	});
}

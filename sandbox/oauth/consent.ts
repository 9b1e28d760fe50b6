import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Registration } from './apps';
import {
	AuthorizationError,
	type AuthorizationRequest,
	readAuthorizationRequest,
	redirectUrl,
	UntrustedRequest,
} from './authorization';
import { formOf, queryOf } from '../form';
import type { OAuth } from './oauth';
import { html } from '../page/html';
import { sendPage } from '../page/layout';

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
			if (error instanceof AuthorizationError) return await reply.redirect(error.location, 303);
			if (!(error instanceof UntrustedRequest)) throw error;
			const message = html`<p role="alert">${error.message}</p>`;
			return await sendPage(reply.status(400), 'Invalid authorization request', message);
		});
		routes.get(PATH, async (request, reply) => await sendForm(reply, request.url, registration, read(request)));
		routes.post(PATH, async (request, reply) => {
			const authorization = read(request);
			const { redirectUri, state } = authorization;
			if (formOf(request).decision !== 'allow') {
				throw new AuthorizationError('access_denied', 'The account owner denied the app access.', redirectUri, state);
			}
			const code = oauth.issueCode(authorization);
			return await reply.redirect(redirectUrl(redirectUri, { code, state }), 303);
		});
		done();
	});
}

async function sendForm(
	reply: FastifyReply,
	action: string,
	{ publicApp }: Registration,
	{ redirectUri }: AuthorizationRequest,
): Promise<FastifyReply> {
	const main = html`<form method="post" action="${action}">
		<p>
			The app <strong>${publicApp.clientId}</strong> requests access to the account. It will be able to see the profile,
			manage links, and reorder the blocks on pages.
		</p>
		<p>You will be redirected to ${new URL(redirectUri).origin}.</p>
		<button name="decision" value="allow">Allow</button>
		<button name="decision" value="deny">Deny</button>
	</form>`;
	return await sendPage(reply, 'Allow access to the account?', main);
}

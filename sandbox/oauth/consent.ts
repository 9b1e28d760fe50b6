import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Registration } from './apps';
import {
	type Authorization,
	leadBack,
	readAuthorization,
	Refusal,
	Untrusted,
} from './authorization';
import { sendProblem, sendQuestion, sendSignIn } from './consentPages';
import { fieldsOf } from '../form';
import { isCrossOrigin } from '../loopback';
import type { OAuth } from './oauth';
import { type Owner, Sessions } from './session';

/** The authorize URL (the contract, section 5.2). */
const PATH = '/manage/access';

export interface ConsentOptions extends Registration {
	owner: Owner;
	oauth: OAuth;
}

/**
 * The owner signs in and lets a public app in, or does not (RFC 6749, section 4.1). The forms keep
 * the query of the authorize URL, and each step reads and checks it anew.
 */
export class Consent {
	readonly #options: ConsentOptions;
	readonly #sessions: Sessions;

	constructor(options: ConsentOptions) {
		this.#options = options;
		this.#sessions = new Sessions(options.owner, PATH);
	}

	/** Adds the pages. */
	register(server: FastifyInstance): void {
		void server.register(async (routes) => {
			await routes.register(cookie);
			guard(routes);
			routes.get(PATH, async (request, reply) => await this.#ask(request, reply));
			routes.post(PATH, async (request, reply) => await this.#decide(request, reply));
			routes.post(`${PATH}/sign-in`, async (request, reply) => await this.#signIn(request, reply));
		});
	}

	async #ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const { redirectUri } = this.#read(request);
		const session = this.#sessions.of(request);
		if (!session) return await sendSignIn(reply, { action: signInUrl(request) });
		return await sendQuestion(reply, {
			action: PATH + queryOf(request),
			formKey: session.formKey,
			app: this.#options.publicApp.clientId,
			account: this.#options.owner.userName,
			origin: new URL(redirectUri).origin,
		});
	}

	async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		this.#read(request);
		const { user_name: userName, password } = fieldsOf(request.body);
		if (this.#sessions.signIn(userName, password, reply)) {
			return await reply.redirect(PATH + queryOf(request), 303);
		}
		return await sendSignIn(reply.status(403), {
			action: signInUrl(request),
			wrong: { userName: typeof userName === 'string' ? userName : '' },
		});
	}

	async #decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const authorization = this.#read(request);
		const { redirectUri, state } = authorization;
		const { form_key: formKey, decision } = fieldsOf(request.body);
		if (!formKey || formKey !== this.#sessions.of(request)?.formKey) {
			return await sendProblem(reply.status(403), 'Nothing was decided', FOREIGN_FORM);
		}
		if (decision === 'deny') {
			throw new Refusal('access_denied', DENIED, redirectUri, state);
		}
		if (decision !== 'allow') {
			return await sendProblem(reply.status(400), 'Nothing was decided', 'Choose Allow or Deny.');
		}
		const code = await this.#options.oauth.issueCode(authorization);
		return await reply.redirect(leadBack(redirectUri, { code, state }), 303);
	}

	#read({ query }: FastifyRequest): Authorization {
		return readAuthorization(query as Record<string, unknown>, this.#options);
	}
}

const DENIED = 'The owner of the account did not allow the app to use it.';
const FOREIGN_FORM =
	'The answer did not come from the page that asked, or the sign-in has ended. Go back to the app and connect again.';

/** No page of another site may show these pages in a frame or send their forms, and nothing is cached. */
function guard(routes: FastifyInstance): void {
	routes.addHook('onRequest', async (request, reply) => {
		reply.header('cache-control', 'no-store');
		reply.header('content-security-policy', "frame-ancestors 'none'");
		if (request.method !== 'POST' || !isCrossOrigin(request)) return undefined;
		return await sendProblem(reply.status(403), 'Nothing was decided', FOREIGN_FORM);
	});
	routes.setErrorHandler(async (error, _request, reply) => {
		if (error instanceof Refusal) return await reply.redirect(error.location, 303);
		if (!(error instanceof Untrusted)) throw error;
		return await sendProblem(reply.status(400), 'This request cannot be answered', error.message);
	});
}

/** The query as it came, with its question mark. */
function queryOf({ url }: FastifyRequest): string {
	return url.slice(url.indexOf('?'));
}

function signInUrl(request: FastifyRequest): string {
	return `${PATH}/sign-in${queryOf(request)}`;
}

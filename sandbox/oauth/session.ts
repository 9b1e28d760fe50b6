import { randomBytes } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** The owner of the account, as they sign in. */
export interface Owner {
	userName: string;
	password: string;
}

/** A browser in which the owner has signed in. */
export interface Session {
	/** A value that only a page of this session knows, so that no other site can send its form. */
	formKey: string;
}

const COOKIE = 'sandbox_session';

/** Keeps who has signed in, in a cookie for the pages below one path. */
export class Sessions {
	readonly #sessions = new Map<string, Session>();

	constructor(
		private readonly owner: Owner,
		private readonly path: string,
	) {}

	/** @returns whether user name and password were those of the owner */
	signIn(userName: unknown, password: unknown, reply: FastifyReply): boolean {
		if (userName !== this.owner.userName || password !== this.owner.password) return false;
		const id = randomBytes(32).toString('hex');
		this.#sessions.set(id, { formKey: randomBytes(32).toString('hex') });
		reply.setCookie(COOKIE, id, { path: this.path, httpOnly: true, sameSite: 'lax' });
		return true;
	}

	of({ cookies }: FastifyRequest): Session | undefined {
		return this.#sessions.get(cookies[COOKIE] ?? '');
	}
}

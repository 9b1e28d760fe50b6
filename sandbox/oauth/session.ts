import { randomBytes } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** The sign-in data of the account owner. */
export interface Owner {
	userName: string;
	password: string;
}

/** A browser in which the owner is signed in. */
export interface Session {
	/** Part of every form, so that no other site can send it (RFC 6749, section 10.12). */
	csrfToken: string;
}

const COOKIE = 'sandbox_session';

/** Sessions identified by a cookie. */
export class Sessions {
	readonly #owner: Owner;
	readonly #path: string;
	readonly #sessions = new Map<string, Session>();

	/** @param path the path of the cookie */
	constructor(owner: Owner, path: string) {
		this.#owner = owner;
		this.#path = path;
	}

	/** Returns whether the user name and the password are those of the owner. */
	signIn(userName: unknown, password: unknown, reply: FastifyReply): boolean {
		if (userName !== this.#owner.userName || password !== this.#owner.password) return false;
		const id = randomBytes(32).toString('hex');
		this.#sessions.set(id, { csrfToken: randomBytes(32).toString('hex') });
		reply.setCookie(COOKIE, id, {
			path: this.#path,
			httpOnly: true,
			sameSite: 'lax',
			secure: 'auto',
		});
		return true;
	}

	of({ cookies }: FastifyRequest): Session | undefined {
		return this.#sessions.get(cookies[COOKIE] ?? '');
	}
}

import { randomBytes } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** The sign-in data of the account owner. */
export interface Owner {
	userName: string;
	password: string;
}

const COOKIE = 'sandbox_session';

/** The browsers in which the owner is signed in, identified by a cookie. */
export class Sessions {
	readonly #owner: Owner;
	readonly #path: string;
	readonly #ids = new Set<string>();

	/** @param path the path of the cookie */
	constructor(owner: Owner, path: string) {
		this.#owner = owner;
		this.#path = path;
	}

	/** Returns whether the user name and the password are those of the owner. */
	signIn(userName: unknown, password: unknown, reply: FastifyReply): boolean {
		if (userName !== this.#owner.userName || password !== this.#owner.password) return false;
		const id = randomBytes(32).toString('hex');
		this.#ids.add(id);
		reply.setCookie(COOKIE, id, {
			path: this.#path,
			httpOnly: true,
			sameSite: 'lax',
			secure: 'auto',
		});
		return true;
	}

	/** Whether the owner is signed in, in the browser that sent the request. */
	isSignedIn({ cookies }: FastifyRequest): boolean {
		return this.#ids.has(cookies[COOKIE] ?? '');
	}
}

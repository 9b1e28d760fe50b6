import type { FastifyInstance } from 'fastify';

import { BadRequest } from './errors';
import type { Faults } from './faults';
import { type Fields, formOf, readWholeNumber, required } from './form';
import { readNewLink } from './linksApi';
import type { Service } from './service';

/** The kinds of failures of the next call; the empty one takes a failure back. */
export const FAILURES: Readonly<Record<string, string>> = {
	'503': 'Busy (503)',
	'429': 'Too many requests (429)',
	'400': 'Rejected (400)',
	hang: 'No response',
	lost: 'Performed, and the response is lost',
	cut: 'Performed, and the response is cut off',
	'': 'No failure',
};

/** Registers what a user does to the service, apart from its API: `POST` to `/fail`, `/links`, `/clock`, and `/reset`. */
export function registerActions(server: FastifyInstance, { account, clock, faults }: Service): void {
	const register = (path: string, act: (form: Fields) => void) =>
		server.post(path, async (request, reply) => {
			act(formOf(request));
			return await reply.redirect('/', 303);
		});
	register('/fail', (form) => failNext(faults, form));
	// It takes all fields of the API for a new link.
	register('/links', (form) => account.links.add(readNewLink(form)));
	// In seconds.
	register('/clock', (form) => clock.advance(required(form, 'advance', readWholeNumber) * 1000));
	// Tokens stay valid.
	register('/reset', () => {
		faults.next = undefined;
		clock.offset = 0;
		account.reset();
	});
}

/** `calls` is a kind of calls; `kind` is a kind of failure. */
function failNext(faults: Faults, { calls, kind }: Fields): void {
	const isKnown = typeof kind === 'string' && Object.hasOwn(FAILURES, kind);
	if ((calls !== 'change' && calls !== 'read') || !isKnown) {
		throw new BadRequest('Send a kind of calls and a kind of failure.');
	}
	faults.next = kind ? { calls, kind } : undefined;
}

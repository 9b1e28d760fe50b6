import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import type { Account } from './account';
import type { Clock } from './clock';
import type { Faults } from './faults';

const PATH = '/reset';

/** A button that undoes everything that was done to the sandbox. Tokens stay valid. */
export const resetForm = html`<form class="card" method="post" action="${PATH}">
	<h2>Start again</h2>
	<p class="note">Brings back the first pages and links, and the present time, and takes back a failure.</p>
	<button>Back to the first state</button>
</form>`;

export interface Resettable {
	account: Account;
	clock: Clock;
	faults: Faults;
}

/** Registers the endpoint of the button. */
export function registerResetForm(server: FastifyInstance, { account, clock, faults }: Resettable): void {
	server.post(PATH, async (_request, reply) => {
		faults.failNext(undefined);
		clock.reset();
		account.reset();
		return await reply.redirect('/', 303);
	});
}

import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import { BadRequest } from './errors';
import type { CallKind, Faults, NextFault } from './faults';
import { readForm } from './form';

const PATH = '/fail';

/** The kinds of faults that the form offers. */
const CHOICES: ReadonlyArray<[kind: string, name: string, expectation: string]> = [
	['503', 'Busy (503)', 'the service is not available'],
	['429', 'Too many requests (429)', 'the service has too many requests'],
	['400', 'Rejected (400)', 'the service rejects it'],
	['hang', 'Time-out', 'the service does not respond. The node waits for its Timeout, by default 30 seconds'],
	['lost', 'Lost response', 'the service performs it, and its response is lost'],
	['cut', 'Cut off', 'the service performs it, and the connection ends in the middle of its response'],
];

const CALLS: ReadonlyArray<[calls: CallKind, name: string]> = [
	['change', 'Change, such as a new order'],
	['read', 'Read, such as a list in the editor'],
];

/** Renders the forms that make the next call fail. */
export function renderFaultForm({ next }: Faults): string {
	return html`<section id="faults" class="card" data-live aria-labelledby="faults-title">
		<h2 id="faults-title">Fail the next request</h2>
		!${CALLS.map(([calls, name]) => renderForm(calls, name, next))} !${next ? renderArmed(next) : HINT}
	</section>`;
}

const HINT = '<p class="note">Choose a failure, run a workflow, and see its requests below.</p>';

/** Renders the choices for a kind of calls; the one that is armed takes it back. */
function renderForm(calls: CallKind, name: string, next?: NextFault): string {
	const isArmed = (kind: string) => calls === next?.calls && kind === next.kind;
	return html`<form method="post" action="${PATH}" aria-labelledby="fail-${calls}">
		<h3 id="fail-${calls}">${name}</h3>
		<input type="hidden" name="calls" value="${calls}" />
		<div class="choices">
			!${CHOICES.map(
				([kind, choice]) =>
					html`<button name="kind" value="${isArmed(kind) ? '' : kind}" aria-pressed="${String(isArmed(kind))}">
						${choice}
					</button>`,
			)}
		</div>
	</form>`;
}

function renderArmed({ calls, kind }: NextFault): string {
	const [, , expectation = ''] = CHOICES.find(([choice]) => choice === kind) ?? [];
	return html`<p class="note"><strong>The next ${calls} will fail:</strong> ${expectation}. Now run a workflow.</p>`;
}

/** Registers the endpoint of the form: `calls` is a kind of calls; `kind` is empty, or a kind of fault. */
export function registerFaultForm(server: FastifyInstance, faults: Faults): void {
	server.post(PATH, async (request, reply) => {
		const form = readForm(request.body);
		const calls = CALLS.map(([offered]) => offered).find((offered) => offered === form.calls);
		const kind = CHOICES.map(([offered]) => offered).find((offered) => offered === form.kind);
		if (!calls || (!kind && form.kind !== '')) throw new BadRequest('Send a kind of calls and a kind of failure.');
		faults.failNext(kind ? { calls, kind } : undefined);
		return await reply.redirect('/', 303);
	});
}

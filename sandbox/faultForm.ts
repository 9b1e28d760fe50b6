import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import { BadRequest } from './errors';
import type { CallKind, Faults, NextFault } from './faults';
import { readForm } from './form';
import type { LoggedRequest, RequestLog } from './requestLog';
import { renderTime } from './viewer/time';
import { statusText } from './viewer/requests';

const PATH = '/fail';

/** The kinds of faults that the form offers. */
const CHOICES: ReadonlyArray<[kind: string, name: string, expectation: string]> = [
	['503', '503', 'the service is not available'],
	['429', '429', 'the service has too many requests'],
	['400', '400', 'the service rejects it'],
	['hang', 'Time-out', 'the service does not respond. The node waits for its Timeout, by default 30 seconds'],
	['lost', 'Lost response', 'the service performs it, and its response is lost'],
	['cut', 'Cut off', 'the service performs it, and the connection ends in the middle of its response'],
];

const CALLS: ReadonlyArray<[calls: CallKind, name: string]> = [
	['change', 'Change, such as a new order'],
	['read', 'Read, such as a list in the editor'],
];

const EFFECTS: Readonly<Record<string, string | undefined>> = {
	reset: 'the connection was reset before the service received it',
	hang: 'the service did not respond',
	trickle: 'the response did not end',
	lost: 'the service received it, and its response was lost',
	cut: 'the service received it, and the connection ended in the middle of its response',
};

/** Requests that come later are taken for those of another run; in milliseconds. */
const LATEST_RETRY = 120_000;

/** Until when a request that comes again is a retry, in milliseconds. Later, it may be that of another run. */
const QUICK_RETRY = 3000;

/** Renders the forms that make the next call fail, and what the node did after the latest failure. */
export function renderFaultForm({ next }: Faults, { requests }: RequestLog): string {
	const failed = requests.find(({ fault }) => fault !== undefined);
	const idle = failed ? renderOutcome(failed, requests) : HINT;
	return html`<section id="faults" class="card" data-live aria-labelledby="faults-title">
		<h2 id="faults-title">Fail the next request</h2>
		!${CALLS.map(([calls, name]) => renderForm(calls, name, next))} !${next ? renderArmed(next) : idle}
	</section>`;
}

const HINT = '<p class="note">Choose a failure, and run a workflow to see what it does.</p>';

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

function renderOutcome(failed: LoggedRequest, requests: readonly LoggedRequest[]): string {
	const { time, method, target, fault = '', duration } = failed;
	return html`<div class="outcome">
		<p>!${renderTime(time)} <b>${method}</b> ${target}: ${EFFECTS[fault] ?? `status ${fault}`}.</p>
		<p>${duration === undefined ? 'The node is waiting.' : describeRetries(failed, duration, requests)}</p>
	</div>`;
}

function describeRetries(
	{ time, method, target }: LoggedRequest,
	duration: number,
	requests: readonly LoggedRequest[],
) {
	const end = time + duration;
	const retries = requests
		.filter((other) => other.method === method && other.target === target)
		.filter((other) => other.time > time && other.time < end + LATEST_RETRY)
		.reverse();
	const [first] = retries;
	if (!first) return 'The node has not sent it again.';
	const wait = Math.max(0, first.time - end);
	const later = `${(wait / 1000).toFixed(1)} s later`;
	const count = retries.length > 1 ? `${retries.length} times, first ${later}` : later;
	const statuses = retries.map(statusText).join(', ');
	if (wait <= QUICK_RETRY) return `The node sent it again ${count}: ${statuses}.`;
	return `The same request came again ${count}: ${statuses}. That is probably another run of the workflow.`;
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

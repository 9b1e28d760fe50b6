import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import { BadRequest } from './errors';
import type { Faults } from './faults';
import { readForm } from './form';
import type { LoggedRequest, RequestLog } from './requestLog';
import { renderTime } from './viewer/time';
import { statusText } from './viewer/requests';

const PATH = '/fail';

/** The kinds of faults that the form offers. */
const CHOICES: ReadonlyArray<[kind: string, name: string]> = [
	['503', '503'],
	['429', '429'],
	['400', '400'],
	['hang', 'Time-out'],
	['lost', 'Lost response'],
	['cut', 'Cut off'],
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

/** Renders a form that makes the next call fail, and what the node did after the latest failure. */
export function renderFaultForm({ next }: Faults, { requests }: RequestLog): string {
	const failed = requests.find(({ fault }) => fault !== undefined);
	const idle = failed ? renderOutcome(failed, requests) : HINT;
	return html`<section id="faults" class="card" data-live aria-labelledby="faults-title">
		<h2 id="faults-title">Fail the next request</h2>
		<form method="post" action="${PATH}" class="choices">
			!${CHOICES.map(([kind, name]) => renderChoice(kind, name, kind === next))}
		</form>
		!${next === undefined ? idle : ARMED}
	</section>`;
}

const HINT = '<p class="note">Choose a failure, and run a workflow to see what it does.</p>';
const ARMED = '<p class="note"><strong>The next request will fail.</strong> Now run a workflow.</p>';

/** Renders a choice; the one that is armed takes it back. */
function renderChoice(kind: string, name: string, isArmed: boolean): string {
	return html`<button name="kind" value="${isArmed ? '' : kind}" aria-pressed="${String(isArmed)}">${name}</button>`;
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
	const wait = `${(Math.max(0, first.time - end) / 1000).toFixed(1)} s later`;
	const count = retries.length > 1 ? `${retries.length} times, first ${wait}` : wait;
	return `The node sent it again ${count}: ${retries.map(statusText).join(', ')}.`;
}

/** Registers the endpoint of the form: `kind` is empty, or a kind of fault. */
export function registerFaultForm(server: FastifyInstance, faults: Faults): void {
	server.post(PATH, async (request, reply) => {
		const { kind } = readForm(request.body);
		if (kind !== '' && !CHOICES.some(([offered]) => offered === kind)) throw new BadRequest('Send a kind of failure.');
		faults.failNext(String(kind) || undefined);
		return await reply.redirect('/', 303);
	});
}

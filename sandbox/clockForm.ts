import type { FastifyInstance } from 'fastify';
import { html } from 'ghtml';

import { type Clock, formatTime } from './clock';
import { BadRequest } from './errors';
import { optional, readForm, readTime, readWholeNumber } from './form';

const PATH = '/clock';
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Returns a form that shows the clock, moves it ahead, and sets it back to the real time. */
export function renderClock(clock: Clock, nextScheduleTime: number | undefined): string {
	const next = nextScheduleTime === undefined ? '' : formatTime(nextScheduleTime);
	const reset = clock.offset === 0 ? '' : '<button name="set" value="now" title="Back to the present">Now</button>';
	return html`<form class="clock" method="post" action="${PATH}">
		<time data-offset="${clock.offset}">${formatTime(clock.now())}</time>
		<button name="advance" value="${HOUR}">+1 hour</button>
		<button name="advance" value="${DAY}">+1 day</button>
		!${next && html`<button name="until" value="${next}" title="${next}">Next schedule</button>`} !${reset}
	</form>`;
}

/** Registers the endpoint of the form: `advance` is in seconds, `until` a time, `set` is "now". */
export function registerClockForm(server: FastifyInstance, clock: Clock): void {
	server.post(PATH, async (request, reply) => {
		const form = readForm(request.body);
		const seconds = optional(form, 'advance', readWholeNumber);
		const until = optional(form, 'until', readTime);
		if (seconds !== undefined) clock.advance(seconds * 1000);
		else if (until !== undefined) clock.advanceTo(Date.parse(until));
		else if (form.set === 'now') clock.reset();
		else throw new BadRequest('Send advance, until, or set=now.');
		return await reply.redirect('/', 303);
	});
}

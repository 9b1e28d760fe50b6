/**
 * Text for a terminal. `styleText` leaves out colors where the terminal has none, and with NO_COLOR.
 */
import { styleText } from 'node:util';

import type { RecordedRequest } from '../sandbox/recorder';

export const heading = (text: string) => `\n${styleText('bold', text)}`;

export const verdict = (text: string) => `\n${styleText('green', text)}`;

/** Returns a line for each request: its path, the status of the response, how long it took, and the form sent. */
export function listRequests(requests: readonly RecordedRequest[]): string {
	const width = Math.max(...requests.map(({ url }) => url.length));
	return requests
		.map(({ method, url, status = 0, duration = 0, body }) => {
			const call = `  ${method} ${url.padEnd(width)}  `;
			const shownStatus = styleText(status < 400 ? 'green' : 'red', String(status));
			const form = [...new URLSearchParams(body)].map((field) => field.join('=')).join(', ');
			const details = `${String(Math.ceil(duration)).padStart(6)} ms  ${form}`;
			const room = (process.stdout.columns || 100) - call.length - 3;
			return call + shownStatus + styleText('dim', details.length > room ? `${details.slice(0, room - 1)}…` : details);
		})
		.join('\n');
}

/** Returns two orders side by side. What has moved up is green, what has moved down is yellow. */
export function compareOrders(before: readonly string[], after: readonly string[]): string {
	const width = Math.max('Before'.length, ...before.map(({ length }) => length)) + 6;
	const rows = after.map((title, position) => {
		const former = before.indexOf(title);
		const color = former > position ? 'green' : former < position ? 'yellow' : 'white';
		return `  ${position}  ${before[position] ?? ''}`.padEnd(width + 2) + styleText(color, `${position}  ${title}`);
	});
	return ['', styleText('dim', `  ${'Before'.padEnd(width)}After`), ...rows].join('\n');
}

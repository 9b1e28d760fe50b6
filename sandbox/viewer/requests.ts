import { html } from 'ghtml';

import type { LoggedRequest, RequestLog } from '../requestLog';
import { renderTime } from './time';

/** Renders the log of requests, newest first. */
export function renderRequests({ requests }: RequestLog): string {
	return html`<h2>Requests</h2>
		!${
			requests.length > 0 ? renderTable(requests) : '<p class="empty">The requests of your workflows appear here.</p>'
		}`;
}

function renderTable(requests: readonly LoggedRequest[]): string {
	return html`<table>
		<thead>
			<tr>
				<th>Time</th>
				<th>Request</th>
				<th>Status</th>
				<th>Duration</th>
			</tr>
		</thead>
		<tbody>
			!${requests.map(
				(request) =>
					html`<tr>
						<td>!${renderTime(request.time)}</td>
						<td><b>${request.method}</b> ${request.target}</td>
						<td class="${statusClass(request)}">${statusText(request)}</td>
						<td>${durationText(request)}</td>
					</tr>`,
			)}
		</tbody>
	</table>`;
}

function statusText({ status, duration, isCutOff }: LoggedRequest): string {
	if (duration === undefined) return 'in flight';
	if (status === undefined) return 'none';
	return isCutOff ? `${status}, cut off` : String(status);
}

/** Returns a CSS class: `ok`, `rejected` (4xx) or `failed`; none while the request is in flight. */
function statusClass({ status = 0, duration, isCutOff }: LoggedRequest): string {
	if (duration === undefined) return '';
	if (isCutOff || status >= 500) return 'failed';
	return status >= 400 ? 'rejected' : 'ok';
}

function durationText({ duration }: LoggedRequest): string {
	return duration === undefined ? '' : `${Math.round(duration)} ms`;
}

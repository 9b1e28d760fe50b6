import { html } from 'ghtml';

import type { LoggedRequest, RequestLog } from '../requestLog';
import { renderTime } from './time';

/** Renders the log of requests, newest first. */
export function renderRequests({ requests }: RequestLog): string {
	return html`<section id="requests" class="card" data-live aria-labelledby="requests-title">
		<h2 id="requests-title">Requests</h2>
		!${requests.length > 0 ? renderTable(requests) : '<p class="note">The requests of your workflows appear here.</p>'}
	</section>`;
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
						<td class="${statusClass(request)}">
							${statusText(request)}!${request.fault ? ' <em>on purpose</em>' : ''}
						</td>
						<td>${durationText(request)}</td>
					</tr>`,
			)}
		</tbody>
	</table>`;
}

/** Returns the status of the response, and whether it ended early. */
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

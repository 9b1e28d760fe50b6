import { html } from 'ghtml';

import type { Account } from '../account';
import type { Clock } from '../clock';
import { renderClock } from '../clockForm';
import type { Link, LinkChange, LinkState } from '../links';
import { renderTime } from './time';

/** Renders the links and the clock, with what the last change was. */
export function renderLinks({ links, groups }: Account, clock: Clock): string {
	const groupNames = new Map<number | undefined, string>(
		groups.map(({ group_id: id, group_name: name }) => [id, name]),
	);
	const { lastChange } = links;
	return html`<h2>Links</h2>
		!${renderClock(clock, links.nextScheduleTime)} !${lastChange && renderChange(lastChange)}
		<ul class="links">
			!${links.all.map((link) => {
				const state = links.stateOf(link);
				const details = [groupNames.get(link.group_id), `ID ${link.link_id}`];
				const change = lastChange?.linkId === link.link_id ? lastChange.kind : '';
				return html`<li class="${state}" style="view-transition-name: l${link.link_id}">
					!${renderTitle(link)} !${change && html`<em>${change}</em>`}
					<span>${details.filter(Boolean).join(', ')}</span>
					!${renderSchedule(link, state)}
				</li>`;
			})}
		</ul>`;
}

function renderChange({ linkId, kind, time }: LinkChange): string {
	return html`<p class="changed">Link ${linkId} ${kind} at !${renderTime(time)}</p>`;
}

/** Renders the title as a link. An edit may have cleared the title, the URL or both. */
function renderTitle({ title, link }: Link): string {
	const text = title || link || 'Untitled';
	return link ? html`<a href="${link}">${text}</a>` : html`${text}`;
}

function renderSchedule({ schedule_from: from, schedule_to: to }: Link, state: LinkState): string {
	if (!from && !to) return '';
	const times = [
		state === 'scheduled' && state,
		from && `from ${from}`,
		to && (state === 'ended' ? `ended ${to}` : `to ${to}`),
	];
	return html`<p>${times.filter(Boolean).join(' ')}</p>`;
}

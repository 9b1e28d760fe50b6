import { html } from 'ghtml';

import type { Account } from '../account';
import type { Clock } from '../clock';
import { renderClock } from '../clockForm';
import { copyable } from '../copyButton';
import { type Group, type Link, type LinkChange, type LinkState, titleOf } from '../links';

/** Renders all links with their IDs, with the latest changes, the groups, and the clock. */
export function renderLinks({ links, groups }: Account, clock: Clock): string {
	const groupNames = new Map<number | undefined, string>(groups.map((group) => [group.group_id, group.group_name]));
	const rowOf = (link: Link): Row => ({
		link,
		state: links.stateOf(link),
		group: groupNames.get(link.group_id),
		change: links.recentChange(link.link_id),
	});
	return html`<section id="links" class="card" data-live aria-labelledby="links-title">
		<h2 id="links-title">Links</h2>
		<ul>
			!${links.all.map((link) => renderLink(rowOf(link)))}
		</ul>
		<h3>Groups</h3>
		<ul>
			!${groups.map(renderGroup)}
		</ul>
		<h3>Clock</h3>
		!${renderClock(clock, links.nextScheduleTime)}
	</section>`;
}

/** What is shown of a link. */
interface Row {
	link: Link;
	state: LinkState;
	/** The name of its group. */
	group?: string;
	change?: LinkChange;
}

function renderLink({ link, state, group, change }: Row): string {
	const id = String(link.link_id);
	return html`<li class="${state}">
		<span>
			<strong>${titleOf(link)}</strong> !${change && html`<em>${change}</em>`}
			<small>${[group, link.link].filter(Boolean).join(' · ')}</small> <small>${describeSchedule(link, state)}</small>
		</span>
		!${copyable(id, `the ID of the link ${titleOf(link)}`)}
	</li>`;
}

function describeSchedule({ schedule_from: from, schedule_to: to }: Link, state: LinkState): string {
	const times = [
		state === 'scheduled' && state,
		from && `from ${from}`,
		to && (state === 'ended' ? `ended ${to}` : `to ${to}`),
	];
	return times.filter(Boolean).join(' ');
}

function renderGroup({ group_id: id, group_name: name }: Group): string {
	return html`<li><strong>${name}</strong> !${copyable(String(id), `the ID of the group ${name}`)}</li>`;
}

import { html } from 'ghtml';

import { type Account, type Page, PROFILE_URL, type TitledBlock, titledBlocks } from '../account';
import { type Links, type ListedLink, titleOf } from '../links';

/** Renders the profile as its visitors see it: the blocks of a page, and the public links. */
export function renderProfile({ pages, links }: Account, userName: string, shown?: Page): string {
	return html`<section id="profile" data-live aria-label="The profile, as its visitors see it">
		<div class="phone">
			<div class="picture" aria-hidden="true">${userName.slice(0, 1).toUpperCase()}</div>
			<h2>@${userName}</h2>
			<p class="address">${PROFILE_URL.replace('https://', '')}</p>
			<nav aria-label="Pages">!${pages.map((page) => renderTab(page, page === shown))}</nav>
			!${shown && renderBlocks(shown)}
			<ul class="buttons">
				!${links.list().map((link) => renderLink(link, links))}
			</ul>
		</div>
	</section>`;
}

function renderTab({ id, title }: Page, isShown: boolean): string {
	const path = `/pages/${encodeURIComponent(id)}`;
	return isShown ? html`<a href="${path}" aria-current="page">${title}</a>` : html`<a href="${path}">${title}</a>`;
}

function renderBlocks(page: Page): string {
	const orderBefore = page.lastReorder?.orderBefore ?? [];
	return html`<ol class="blocks">
		!${titledBlocks(page).map((block) => renderBlock(block, orderBefore.indexOf(block.id)))}
	</ol>`;
}

/** @param before the position before the last change; -1 if there was none */
function renderBlock({ id, type, title, position }: TitledBlock, before: number): string {
	return html`<li class="${type}" data-moves="block ${id}">
		<strong>${title}</strong>!${before < 0 ? '' : renderMove(before - position)} !${CONTENTS[type] ?? ''}
	</li>`;
}

/** @param up by how many positions; negative if the block moved down */
function renderMove(up: number): string {
	if (up === 0) return '';
	const [arrow, direction] = up > 0 ? ['↑', 'up'] : ['↓', 'down'];
	return html`<em
		><span aria-hidden="true">${arrow} ${Math.abs(up)}</span
		><span class="spoken">moved ${direction} by ${Math.abs(up)}</span></em
	>`;
}

function renderLink(link: ListedLink, links: Links): string {
	const change = links.recentChange(link.link_id);
	return html`<li data-moves="link ${link.link_id}">
		<a href="${link.link}" target="_blank" rel="noopener">${titleOf(link)}</a>
		!${change && html`<em>${change}</em>`}
	</li>`;
}

/** Renders shapes, such as icons. */
function draw(...shapes: string[]): string {
	return html`<span class="icons" aria-hidden="true">
		!${shapes.map((shape) => html`<svg viewBox="0 0 24 24"><path d="${shape}" /></svg>`)}
	</span>`;
}

/** What a block of this type may look like. */
const CONTENTS: Readonly<Record<string, string | undefined>> = {
	// A camera, a note, a play button, and a speech bubble.
	BLOCK_ICONS: draw(
		'M4 7h3l2-2h6l2 2h3v12H4z M12 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7',
		'M9 18V6l10-2v12 M9 18a2.5 2.5 0 1 1-2.5-2.5A2.5 2.5 0 0 1 9 18 M19 16a2.5 2.5 0 1 1-2.5-2.5A2.5 2.5 0 0 1 19 16',
		'M8 5.5v13l10.5-6.5z',
		'M4 5h16v11h-9l-4.5 4V16H4z',
	),
	// Mountains in a frame.
	BLOCK_PROFILEPIC: draw('M3 5h18v14H3z M3 17l6-6 4 4 3-3 5 5 M16 8.5a1 1 0 1 0 .01 0'),
};

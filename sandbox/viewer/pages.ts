import { html } from 'ghtml';

import { type Page, titledBlocks } from '../account';
import { findMoves } from './moves';
import { renderTime } from './time';

/** Renders all pages with their blocks. */
export function renderPages(pages: readonly Page[]): string {
	return html`<ul class="pages">
		!${pages.map(
			(page) =>
				html`<li>
					<h2>
						<a href="/pages/${encodeURIComponent(page.id)}">${page.title}</a>
						<small>${page.id}, ${page.blocks.length} blocks</small>
					</h2>
					!${renderPage(page)}
				</li>`,
		)}
	</ul>`;
}

/** Renders the blocks of a page, with what its last change has moved. */
export function renderPage(page: Page): string {
	const { lastReorder } = page;
	const order = page.blocks.map(({ id }) => id);
	const moves = lastReorder && findMoves(lastReorder.orderBefore, order);
	return html`!${
			lastReorder && html`<p class="changed">Reordered at !${renderTime(lastReorder.time)}</p>`
		}
		<ol start="0">
			!${titledBlocks(page).map(({ id, type, position, title }) => {
				const from = moves?.get(id);
				const moved = from === undefined ? '' : `moved from ${from} to ${position}`;
				return html`<li class="${type}" style="view-transition-name: b${id.replace(/\W/g, '-')}">
					<strong>${title}</strong> !${moved && html`<em>${moved}</em>`}
					<span><code>${id}</code> ${type}</span>
				</li>`;
			})}
		</ol>`;
}

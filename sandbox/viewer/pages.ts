import { html } from 'ghtml';

import { type Page, titledBlocks } from '../account';
import { BLOCKS_PATH, PAGES_PATH } from '../listsApi';
import { renderTime } from './time';

/** Renders all pages with their blocks. */
export function renderPages(pages: readonly Page[]): string {
	return html`<p class="hint">All pages: <code>GET ${PAGES_PATH}</code></p>
		<ul class="pages">
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

/** Renders the blocks of a page, with where they were before the last change. */
export function renderPage(page: Page): string {
	const { lastReorder } = page;
	return html`<p class="hint">
			Its blocks: <code>GET ${BLOCKS_PATH}?${new URLSearchParams({ page_id: page.id }).toString()}</code>
		</p>
		!${lastReorder && html`<p class="changed">Reordered at !${renderTime(lastReorder.time)}</p>`}
		<ol start="0">
			!${titledBlocks(page).map(
				({ id, type, position, title }) =>
					html`<li class="${type}" style="view-transition-name: b${id.replace(/\W/g, '-')}">
						<strong>${title}</strong>
						!${lastReorder && renderOrigin(position, lastReorder.orderBefore.indexOf(id))}
						<span><code>${id}</code> ${type}</span>
					</li>`,
			)}
		</ol>`;
}

/** Renders where a block was before. A reorder neither adds nor removes blocks, so it was somewhere. */
function renderOrigin(position: number, before: number): string {
	return before === position ? '<small>stayed</small>' : html`<em>was ${before}</em>`;
}

import { html } from 'ghtml';

import { type Page, titledBlocks } from '../account';
import { copyable } from '../copyButton';
import { renderTime } from './time';

/** Renders the IDs of all pages and their blocks. */
export function renderIds(pages: readonly Page[]): string {
	return html`<section id="ids" class="card" data-live aria-labelledby="ids-title">
		<h2 id="ids-title">Pages and blocks</h2>
		!${pages.map(renderPage)}
	</section>`;
}

function renderPage(page: Page): string {
	const { id: pageId, title: pageTitle, lastReorder } = page;
	const blocks = titledBlocks(page);
	const allIds = blocks.map(({ id }) => id).join('\n');
	return html`<article data-page="${pageId}">
		<h3>${pageTitle} !${copyable(pageId, `the ID of the page ${pageTitle}`)}</h3>
		!${lastReorder && html`<p class="note">Reordered at !${renderTime(lastReorder.time)}</p>`}
		<ol start="0">
			!${blocks.map(
				({ id, type, position, title }) =>
					html`<li>
						<span>
							<strong>${title}</strong>
							!${lastReorder && renderOrigin(position, lastReorder.orderBefore.indexOf(id))}
							<small>${type}</small>
						</span>
						!${copyable(id, `the ID of the block ${title}`)}
					</li>`,
			)}
		</ol>
		<button type="button" data-copy="${allIds}">Copy all ${blocks.length} block IDs of ${pageTitle}</button>
	</article>`;
}

/** Renders where a block was before. A reorder neither adds nor removes blocks, so it was somewhere. */
function renderOrigin(position: number, before: number): string {
	return before === position ? '' : html`<em>was ${before}</em>`;
}

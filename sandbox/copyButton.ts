import { html } from 'ghtml';

/**
 * Renders a button that copies a text.
 *
 * @param label what it copies, such as "the ID of Home"
 */
export function copyButton(text: string, label: string): string {
	return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy ${label}" title="Copy ${label}">
		<svg viewBox="0 0 16 16" aria-hidden="true">
			<rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
			<path d="M10.5 2.5h-6a2 2 0 0 0-2 2v6" />
		</svg>
	</button>`;
}

/** Renders an ID, a path or a secret with a button that copies it. */
export function copyable(text: string, label: string): string {
	return html`<span class="copyable"><code>${text}</code>!${copyButton(text, label)}</span>`;
}

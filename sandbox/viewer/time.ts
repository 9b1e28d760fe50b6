import { html } from 'ghtml';

/** Renders the time of day of something that happened, in the time zone of this machine. */
export function renderTime(time: number): string {
	const date = new Date(time);
	return html`<time datetime="${date.toISOString()}">${date.toTimeString().slice(0, 8)}</time>`;
}

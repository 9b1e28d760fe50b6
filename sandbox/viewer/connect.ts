import { html } from 'ghtml';

import { copyable } from '../copyButton';
import { BLOCKS_PATH, PAGES_PATH } from '../listsApi';
import type { App } from '../oauth/apps';
import type { Owner } from '../oauth/session';

/** What the credentials of n8n need. */
export interface Access {
	privateApp: App;
	publicApp: App;
	/** Signs in to connect the public app. */
	owner: Owner;
}

/** Renders the values to enter in a credential of n8n. */
export function renderConnect({ privateApp, publicApp, owner }: Access, baseUrl: string): string {
	return html`<section id="connect" class="card" aria-labelledby="connect-title">
		<h2 id="connect-title">Connect n8n</h2>
		<p class="note">Enter these values in a Profile Page credential.</p>
		!${renderValues('credential', [
			['Base URL', baseUrl],
			['Client ID', privateApp.clientId],
			['Client Secret', privateApp.clientSecret],
			['Pages Path', PAGES_PATH],
			['Blocks Path', BLOCKS_PATH],
		])}
		<details>
			<summary>Public app</summary>
			!${renderValues('public app', [
				['Client ID', publicApp.clientId],
				['Client Secret', publicApp.clientSecret],
				['User name', owner.userName],
				['Password', owner.password],
			])}
		</details>
	</section>`;
}

function renderValues(owner: string, values: ReadonlyArray<[name: string, value: string]>): string {
	return html`<dl>
		!${values.map(
			([name, value]) =>
				html`<dt>${name}</dt>
					<dd>!${copyable(value, `${name} of the ${owner}`)}</dd>`,
		)}
	</dl>`;
}

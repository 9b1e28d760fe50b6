import type { Credential } from '../n8n/app';
import type { Client } from '../service/client';
import { KnownLinks } from './links/knownLinks';
import type { Names } from './pages/names';

/** What the calls of a try share: its client, and what was read with it for all of them. */
export class Session {
	readonly links: KnownLinks;
	/** The names of the pages, if an item has its page by name. */
	pages?: Names;

	constructor(
		readonly client: Client,
		readonly credential: Credential,
		/** Whether the client sends no change. */
		readonly isPreview: boolean,
	) {
		this.links = new KnownLinks(client);
	}
}

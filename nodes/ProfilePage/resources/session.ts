import type { Credential } from '../n8n/app';
import type { Client } from '../service/client';
import { KnownLinks } from './links/knownLinks';
import { loadPages, type Names } from './pages/names';

/** What the calls of a try share: its client, and what was read with it for all of them. */
export class Session {
	readonly links: KnownLinks;
	#pages?: Promise<Names>;

	constructor(
		readonly client: Client,
		readonly credential: Credential,
		/** Whether the client sends no change. */
		readonly isPreview: boolean,
	) {
		this.links = new KnownLinks(client);
	}

	/** Returns the names of the pages, which are read when an item first has its page by name. Throws Failure. */
	async pages(): Promise<Names> {
		return await (this.#pages ??= loadPages(this.client, this.credential));
	}
}

import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../../operation';
import { asText, parseUrl } from '../../shared/values';
import { listRequest, MAX_LISTED, readLinks } from './linkRequests';

/** The links that are known of an account: those that the service lists, and those that this execution created. */
export class ExistingLinks {
	#listing?: Promise<IDataObject[]>;
	#created: IDataObject[] = [];

	/**
	 * Returns the links with an address, the newest first, and whether there may be others that are not listed. The
	 * list is read once.
	 *
	 * @throws ServiceError if the list cannot be read, then also for later calls; ExecutionCanceled
	 */
	async find(
		service: Service,
		address: string,
	): Promise<{ matches: IDataObject[]; isListFull: boolean }> {
		this.#listing ??= service.send(listRequest(), readLinks);
		const listed = await this.#listing;
		const ids = new Set(listed.map(({ link_id: id }) => asText(id)));
		const created = this.#created.filter(({ link_id: id }) => !ids.has(asText(id)));
		const key = normalizeAddress(address);
		const hasAddress = ({ link }: IDataObject) => normalizeAddress(asText(link)) === key;
		const matches = [...created, ...listed].filter(hasAddress);
		return { matches, isListFull: listed.length >= MAX_LISTED };
	}

	add(link: IDataObject): void {
		this.#created = [link, ...this.#created];
	}

	/** Makes the next call read the list again. */
	expire(): void {
		this.#listing = undefined;
	}
}

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, and the percent-encoding of letters, digits, "-", ".", "_" and "~" make no difference.
 */
export function normalizeAddress(address: string): string {
	const href = parseUrl(address.trim())?.href ?? address;
	return href.replace(/%[\da-f]{2}/gi, (encoded) => {
		const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
	});
}

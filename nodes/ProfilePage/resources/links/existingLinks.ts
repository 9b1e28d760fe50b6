import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../../operation';
import type { Problem } from '../../shared/errors';
import { asText, parseUrl } from '../../shared/values';
import { isNotApplied } from '../../transport/retries';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { listRequest, MAX_LISTED, readLinks } from './linkRequests';

/** A link, and its address in a form that can be compared. */
interface KnownLink {
	readonly link: IDataObject;
	readonly address: string;
}

/** The links that are known of an account: those that the service lists, and those that this execution created. */
export class ExistingLinks {
	#listing?: Promise<KnownLink[]>;
	#created: KnownLink[] = [];
	/** The addresses of scheduled links that this execution may have created. No list contains them. */
	readonly #uncertain = new Set<string>();

	/**
	 * Returns the links with an address, the newest first, whether there may be others that are not listed, and whether
	 * this execution may have created a scheduled one. The list is read once.
	 *
	 * @throws ServiceError if the list cannot be read, then also for later calls; ExecutionCanceled
	 */
	async find(
		service: Service,
		address: string,
	): Promise<{ matches: IDataObject[]; isListFull: boolean; isUncertain: boolean }> {
		this.#listing ??= this.#read(service);
		const listed = await this.#listing;
		const ids = new Set(listed.map(({ link }) => asText(link.link_id)));
		const created = this.#created.filter(({ link }) => !ids.has(asText(link.link_id)));
		const wanted = normalizeAddress(address);
		const matches = [...created, ...listed].filter((known) => known.address === wanted);
		return {
			matches: matches.map(({ link }) => link),
			isListFull: listed.length >= MAX_LISTED,
			isUncertain: this.#uncertain.has(wanted),
		};
	}

	/**
	 * Sends a change. If its outcome is unknown, the next call reads the list again. Throws what {@link Service.send}
	 * throws.
	 *
	 * @param scheduled the address of the scheduled link that is created
	 */
	async change<T extends object>(
		service: Service,
		request: ServiceRequest,
		read: (envelope: IDataObject) => T | Problem,
		scheduled?: string,
	): Promise<T> {
		return await service.send(request, read).catch((error: unknown) => {
			if (isNotApplied(error)) throw error;
			this.expire();
			if (scheduled !== undefined) this.#uncertain.add(normalizeAddress(scheduled));
			throw error;
		});
	}

	add(link: IDataObject): void {
		this.#created = [toKnownLink(link), ...this.#created];
	}

	/** Makes the next call read the list again. */
	expire(): void {
		this.#listing = undefined;
	}

	async #read(service: Service): Promise<KnownLink[]> {
		return (await service.send(listRequest(), readLinks)).map(toKnownLink);
	}
}

function toKnownLink(link: IDataObject): KnownLink {
	return { link, address: normalizeAddress(asText(link.link)) };
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

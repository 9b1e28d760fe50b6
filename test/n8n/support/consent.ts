import { request } from 'undici';

import type { Rest, Stored } from './rest';

export interface Consent {
	/** Where n8n sends the browser. */
	authorization: URL;
	/** The page that n8n shows at the end. */
	page: string;
}

/** Connects a credential at oidc-provider: signs in there as anybody, and grants access. */
export async function connectByHand(rest: Rest, credential: Stored): Promise<Consent> {
	const authorization = new URL(await rest.authorizationUrl(credential));
	const visit = new Visit(authorization.origin);
	let page = await visit.get(authorization.href);
	if (page) page = await visit.post(actionOf(page), { prompt: 'login', login: 'somebody', password: 'any' });
	if (page) page = await visit.post(actionOf(page), { prompt: 'consent' });
	if (page) throw new Error(`The service does not redirect to n8n: ${page}`);
	return { authorization, page: await rest.page(visit.leftFor) };
}

/** A browser without a screen, which follows redirects within a service and stops where they leave it. */
class Visit {
	/** Where the service redirects to somebody else. */
	leftFor = '';
	readonly #origin: string;
	readonly #cookies = new Map<string, string>();

	constructor(origin: string) {
		this.#origin = origin;
	}

	/** Returns the page; undefined if it is not one of the service. */
	async get(url: string): Promise<string | undefined> {
		return await this.#send('GET', url);
	}

	async post(url: string, form: Record<string, string>): Promise<string | undefined> {
		return await this.#send('POST', url, new URLSearchParams(form).toString());
	}

	async #send(method: 'GET' | 'POST', url: string, form: string | null = null): Promise<string | undefined> {
		if (new URL(url).origin !== this.#origin) {
			this.leftFor = url;
			return undefined;
		}
		const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const type = form !== null && { 'content-type': 'application/x-www-form-urlencoded' };
		const { headers, body } = await request(url, { method, headers: { cookie, ...type }, body: form });
		for (const set of [headers['set-cookie'] ?? []].flat()) {
			const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=', 2);
			this.#cookies.set(name, value);
		}
		const page = await body.text();
		const { location } = headers;
		return typeof location === 'string' ? await this.get(new URL(location, url).href) : page;
	}
}

/** Returns where the form of a page is sent. */
function actionOf(page: string): string {
	const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
	if (!action) throw new Error(`The page of the service has no form: ${page}`);
	return action;
}

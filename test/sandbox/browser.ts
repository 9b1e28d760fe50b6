import { request } from 'undici';

import type { Sandbox } from '../../sandbox/server';
import { FORM, REDIRECT_URI } from '../support/serviceClient';

export type Parameters = Record<string, string>;

interface Page {
	status: number;
	text: string;
	/** The target of a redirect; empty if there is none. */
	location: string;
	headers: Record<string, string | string[] | undefined>;
}

/** A minimal browser: it stores one cookie and does not follow redirects. */
export class Browser {
	cookie = '';
	readonly #sandbox: Sandbox;

	constructor(sandbox: Sandbox) {
		this.#sandbox = sandbox;
	}

	async get(path: string): Promise<Page> {
		return await this.#send(path, {});
	}

	async post(path: string, fields: Parameters): Promise<Page> {
		return await this.#send(path, { body: new URLSearchParams(fields).toString() });
	}

	async #send(path: string, { body }: { body?: string }): Promise<Page> {
		const response = await request(new URL(path, this.#sandbox.baseUrl), {
			method: body === undefined ? 'GET' : 'POST',
			headers: { 'content-type': FORM, ...(this.cookie && { cookie: this.cookie }) },
			body,
		});
		const [cookie] = [response.headers['set-cookie'] ?? []].flat();
		if (cookie) this.cookie = cookie.split(';')[0]!;
		return {
			status: response.statusCode,
			text: await response.body.text(),
			location: [response.headers.location ?? ''].flat()[0]!,
			headers: response.headers,
		};
	}

	/** Signs in with the form of the page, and returns the next page. */
	async signIn(url = authorizeUrl(this.#sandbox), owner = this.#sandbox.owner): Promise<Page> {
		const { action } = readForm(await this.get(url));
		const signedIn = await this.post(action, {
			user_name: owner.userName,
			password: owner.password,
		});
		return signedIn.location ? await this.get(signedIn.location) : signedIn;
	}

	/** Signs in, submits the consent form, and returns the redirect. */
	async decide(decision: 'allow' | 'deny', url?: string): Promise<URL> {
		const { action, fields } = readForm(await this.signIn(url));
		const { status, location } = await this.post(action, { ...fields, decision });
		expect(status).toBe(303);
		return new URL(location);
	}
}

export const unescape = (text: string) =>
	text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));

/** Returns the action and the initial fields of the form on a page. */
export function readForm({ text }: Page): { action: string; fields: Parameters } {
	const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? '';
	const inputs = [...text.matchAll(/<input[^>]*?\sname="([^"]*)"[^>]*?\svalue="([^"]*)"/g)];
	const fields = inputs.map(([, name, value]) => [name!, unescape(value!)]);
	return { action: unescape(action), fields: Object.fromEntries(fields) as Parameters };
}

/** Returns the authorize URL with the parameters that n8n sends; an empty parameter is omitted. */
export function authorizeUrl({ publicApp }: Sandbox, parameters: Parameters = {}): string {
	const query = new URLSearchParams({
		client_id: publicApp.clientId,
		redirect_uri: REDIRECT_URI,
		response_type: 'code',
		state: 'a state',
		scope: 'basic',
		...parameters,
	});
	for (const [name, value] of [...query]) if (!value) query.delete(name);
	return `/manage/access?${query.toString()}`;
}

/** Lets the owner allow the app access, and returns the authorization code. */
export async function newCode(sandbox: Sandbox, url?: string): Promise<string> {
	const redirect = await new Browser(sandbox).decide('allow', url);
	return redirect.searchParams.get('code') ?? '';
}

import { type Dispatcher, request } from 'undici';

import type { Sandbox } from '../../sandbox/server';

/** The content type of the forms that the service takes. */
export const FORM = 'application/x-www-form-urlencoded';

/** Sends a request to the API of a sandbox. */
export async function send(
	at: Sandbox,
	path: string,
	options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
) {
	const { statusCode, headers, body } = await request(at.baseUrl + path, options);
	return { status: statusCode, headers, body: (await body.json()) as Record<string, unknown> };
}

/** The fields of a form; in pairs where one is given more than once. */
export type Fields = Record<string, string> | Array<[string, string]>;

const bearer = (token?: string) => token && { authorization: `Bearer ${token}` };

/** Makes a call that reads. */
export async function get(at: Sandbox, path: string, token?: string) {
	return await send(at, path, { method: 'GET', headers: { ...bearer(token) } });
}

/** Makes a call that sends a form. */
export async function post(
	at: Sandbox,
	path: string,
	fields: Fields,
	{ token, contentType = FORM }: { token?: string; contentType?: string } = {},
) {
	return await send(at, path, {
		method: 'POST',
		headers: { 'content-type': contentType, ...bearer(token) },
		body: new URLSearchParams(fields).toString(),
	});
}

/** Asks for a token, as the private app unless a pair of ID and secret is given. */
export async function grant(
	at: Sandbox,
	pair = `${at.clientId}:${at.clientSecret}`,
	body?: string,
) {
	return await send(at, '/oauth/token', {
		method: 'POST',
		headers: {
			authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
			'content-type': FORM,
		},
		body: body ?? 'grant_type=client_credentials',
	});
}

/** A token of the private app. */
export async function newToken(at: Sandbox): Promise<string> {
	return (await grant(at)).body.access_token as string;
}

/** Opens a page to look at. */
export async function look(at: Sandbox, path: string) {
	const { statusCode, body } = await request(at.baseUrl + path);
	return { status: statusCode, html: await body.text() };
}

/** What an open page is told while something is done. */
export async function overhear(at: Sandbox, act: () => unknown): Promise<string> {
	const { body } = await request(`${at.baseUrl}/changes`);
	const chunks = body[Symbol.asyncIterator]();
	await chunks.next();
	await act();
	const { value } = (await chunks.next()) as { value: Buffer };
	body.destroy();
	await chunks.next().catch(() => undefined);
	return value.toString();
}

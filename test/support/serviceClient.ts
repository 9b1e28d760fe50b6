import { type Dispatcher, request } from 'undici';

import type { App } from '../../sandbox/oauth/oauth';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';

/** The content type of a form. */
export const FORM = 'application/x-www-form-urlencoded';

/** The redirect URI of an n8n on this machine. */
export const REDIRECT_URI = 'http://localhost:5678/rest/oauth2-credential/callback';

/** The fields of a form; as pairs if a field is repeated. */
export type Fields = Record<string, string> | Array<[string, string]>;

/**
 * Starts a sandbox with a token before each test, and closes it after the test. Returns how to start another one.
 *
 * @param keep gets each of them
 */
export function useSandbox(keep: (service: { sandbox: Sandbox; token: string }) => void) {
	let sandbox: Sandbox;
	const open = async (options?: SandboxOptions) => {
		sandbox = await startSandbox(options);
		keep({ sandbox, token: await newToken(sandbox) });
	};
	beforeEach(async () => await open());
	afterEach(async () => await sandbox.close());
	return open;
}

/** Sends a request and parses the JSON response. */
export async function send(
	{ baseUrl }: Pick<Sandbox, 'baseUrl'>,
	path: string,
	options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
) {
	const { statusCode, headers, body } = await request(baseUrl + path, options);
	return { status: statusCode, headers, body: (await body.json()) as Record<string, unknown> };
}

const bearer = (token?: string) => token && { authorization: `Bearer ${token}` };

export async function get(sandbox: Sandbox, path: string, token?: string) {
	return await send(sandbox, path, { method: 'GET', headers: { ...bearer(token) } });
}

export async function post(sandbox: Sandbox, path: string, fields: Fields, { token }: { token?: string } = {}) {
	return await send(sandbox, path, {
		method: 'POST',
		headers: { 'content-type': FORM, ...bearer(token) },
		body: new URLSearchParams(fields).toString(),
	});
}

/** Sends a new order of a page's blocks. */
export async function sendOrder(sandbox: Sandbox, pageId: string, order: readonly string[], token: string) {
	const blocks = JSON.stringify(order.map((id, position) => ({ id, position })));
	return await post(sandbox, '/oauth/v1/page/blocks/sort', { page_id: pageId, blocks }, { token });
}

/** Sends a token request with HTTP Basic authentication, by default for the private app. */
export async function requestToken(
	sandbox: Pick<Sandbox, 'baseUrl' | 'clientId' | 'clientSecret'>,
	form: Fields | string = { grant_type: 'client_credentials' },
	{ clientId, clientSecret }: App = sandbox,
) {
	const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	return await send(sandbox, '/oauth/token', {
		method: 'POST',
		headers: { authorization: `Basic ${credentials}`, 'content-type': FORM },
		body: new URLSearchParams(form).toString(),
	});
}

/** The token request for an authorization code. */
export const codeGrant = (code: string, redirectUri = REDIRECT_URI): Record<string, string> => ({
	code,
	grant_type: 'authorization_code',
	redirect_uri: redirectUri,
});

/** The token request for a refresh token. */
export const refreshGrant = (refreshToken: unknown): Record<string, string> => ({
	refresh_token: String(refreshToken),
	grant_type: 'refresh_token',
});

/** Returns a new access token of the private app. */
export async function newToken(sandbox: Sandbox): Promise<string> {
	return (await requestToken(sandbox)).body.access_token as string;
}

/** Requests the profile and returns the status of the response. */
export async function getProfileStatus(sandbox: Sandbox, token: unknown): Promise<number> {
	return (await get(sandbox, '/oauth/v1/me', String(token))).status;
}

/** Returns an HTML page. */
export async function getPage(sandbox: Sandbox, path: string): Promise<string> {
	return await (await request(sandbox.baseUrl + path)).body.text();
}

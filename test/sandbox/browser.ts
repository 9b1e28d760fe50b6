import { request } from 'undici';

import type { Sandbox } from '../../sandbox/server';
import { FORM, REDIRECT_URI } from '../support/serviceClient';

export type Parameters = Record<string, string>;

/** Returns the authorize URL with the parameters that n8n sends; an empty parameter is omitted. */
export function authorizeUrl({ baseUrl, publicApp }: Sandbox, parameters: Parameters = {}): string {
	const query = new URLSearchParams({
		client_id: publicApp.clientId,
		redirect_uri: REDIRECT_URI,
		response_type: 'code',
		state: 'a state',
		scope: 'basic',
		...parameters,
	});
	for (const [name, value] of [...query]) if (!value) query.delete(name);
	return `${baseUrl}/manage/access?${query.toString()}`;
}

/** Opens the consent page, or submits its form. Returns the text, and the target of a redirect, which is not followed. */
export async function visit(url: string, decision?: 'allow' | 'deny') {
	const { statusCode, headers, body } = await request(url, {
		method: decision ? 'POST' : 'GET',
		headers: { 'content-type': FORM },
		body: decision ? `decision=${decision}` : null,
	});
	const text = (await body.text()).replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
	return { status: statusCode, text, location: [headers.location ?? ''].flat()[0]! };
}

/** Lets the owner allow the app access, and returns the authorization code. */
export async function newCode(sandbox: Sandbox, url = authorizeUrl(sandbox)): Promise<string> {
	return new URL((await visit(url, 'allow')).location).searchParams.get('code') ?? '';
}

import type { FastifyRequest } from 'fastify';

import { OAuthError } from '../errors';
import { formOf } from '../form';

/** The only documented scope (docs/api.md, section 3.4). */
export const SCOPE = 'basic';

/** A token request that is valid, apart from its app and from what it presents. */
export interface TokenRequest {
	/** The client ID and the client secret, with a colon between them. */
	app: string;
	form: Readonly<Record<string, string>> & { readonly grant_type: string };
}

/** The fields of each grant besides `grant_type`: docs/api.md, section 3.2, and RFC 6749, sections 4.1.3 and 6. */
const GRANTS: Readonly<Record<string, { required: readonly string[]; optional?: string }>> = {
	client_credentials: { required: [] },
	authorization_code: { required: ['code', 'redirect_uri'], optional: 'code_verifier' },
	refresh_token: { required: ['refresh_token'], optional: 'scope' },
};

/**
 * Checks a token request as strictly as the contract and RFC 6749 allow. A public app may also send its ID and secret
 * in the form, as the vendor's own n8n node does; for a private app, the service rejects that.
 *
 * @throws OAuthError if it names no app in one of these ways, or a form field is missing, unknown, or repeated
 */
export function readTokenRequest(request: FastifyRequest): TokenRequest {
	const form = formOf(request);
	const { client_id: id, client_secret: secret, ...others } = form;
	const { authorization } = request.headers;
	const isPair = typeof id === 'string' && typeof secret === 'string';
	return isPair && !authorization && form.grant_type !== 'client_credentials'
		? { app: `${id}:${secret}`, form: readGrant(others) }
		: { app: readBasicPair(authorization), form: readGrant(form) };
}

function readBasicPair(authorization = ''): string {
	const [, encoded] = /^Basic (\S+)$/i.exec(authorization) ?? [];
	if (encoded) return Buffer.from(encoded, 'base64').toString('utf8');
	throw new OAuthError('invalid_client', 'Send the client ID and the client secret by HTTP Basic.');
}

function readGrant(form: Record<string, unknown>): TokenRequest['form'] {
	const grant = typeof form.grant_type === 'string' ? GRANTS[form.grant_type] : undefined;
	if (!grant) throw new OAuthError('unsupported_grant_type', 'This grant_type is missing, or not supported.');
	const { required, optional = '' } = grant;
	const known = ['grant_type', optional, ...required];
	const isValid =
		required.every((name) => form[name]) &&
		Object.entries(form).every(([name, value]) => known.includes(name) && typeof value === 'string');
	if (!isValid) throw new OAuthError('invalid_request', `Send only these fields, each once: ${known.join(' ')}.`);
	if (form.scope && form.scope !== SCOPE) throw new OAuthError('invalid_scope', `The only scope is ${SCOPE}.`);
	return form as TokenRequest['form'];
}

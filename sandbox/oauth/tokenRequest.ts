import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyRequest } from 'fastify';

import { libraryClientId } from './apps';
import { fieldsOf } from '../form';
import { SCOPE } from './model';

/** The form fields of a grant in addition to `grant_type`. */
interface Fields {
	required: readonly string[];
	optional: readonly string[];
}

/** See docs/api.md, section 3.2, and RFC 6749, sections 4.1.3 and 6. */
const fieldsByGrant: ReadonlyMap<string, Fields> = new Map([
	['client_credentials', { required: [], optional: [] }],
	['authorization_code', { required: ['code', 'redirect_uri'], optional: ['code_verifier'] }],
	['refresh_token', { required: ['refresh_token'], optional: ['scope'] }],
]);

/**
 * Checks a token request as strictly as the contract and RFC 6749 allow. A public app may also send its ID and secret
 * in the form, as the vendor's own n8n node does; for a private app, the service rejects that.
 *
 * @returns the request for the OAuth library
 * @throws OAuthError if the app is not authenticated in one of these ways, or a form field is missing, unknown
 *   or repeated
 */
export function readTokenRequest({ headers, body }: FastifyRequest): OAuth2Server.Request {
	const form = fieldsOf(body);
	const fromForm = headers.authorization ? undefined : readPairInForm(form);
	const pair = fromForm?.pair ?? readBasicPair(headers);
	// The library requires a secret, but the client ID already includes it.
	const authorization = `Basic ${Buffer.from(`${libraryClientId(pair)}:-`).toString('base64')}`;
	return new OAuth2Server.Request({
		headers: { ...(headers as Record<string, string>), authorization },
		method: 'POST',
		query: {},
		body: readGrantForm(fromForm?.others ?? form),
	});
}

function readBasicPair({ authorization = '' }: FastifyRequest['headers']): string {
	const [, encoded] = /^Basic (\S+)$/i.exec(authorization) ?? [];
	if (encoded) return Buffer.from(encoded, 'base64').toString('utf8');
	throw new OAuth2Server.InvalidClientError('Send the client ID and the client secret by HTTP Basic.', { code: 401 });
}

/** Returns what identifies a public app in the form (RFC 6749, section 2.3.1), and the other fields. */
function readPairInForm(form: Record<string, unknown>): { pair: string; others: Record<string, unknown> } | undefined {
	const { client_id: id, client_secret: secret, ...others } = form;
	if (typeof id !== 'string' || typeof secret !== 'string') return undefined;
	if (form.grant_type === 'client_credentials') return undefined;
	return { pair: `${id}:${secret}`, others };
}

function readGrantForm(form: Record<string, unknown>): Record<string, unknown> {
	if (typeof form.grant_type !== 'string' || !form.grant_type) {
		throw new OAuth2Server.InvalidRequestError('Send a form with exactly one grant_type.');
	}
	const fields = fieldsByGrant.get(form.grant_type);
	if (!fields) {
		throw new OAuth2Server.UnsupportedGrantTypeError('This grant_type is not supported.');
	}
	checkFields(form, fields);
	// Checked here because the library would first revoke the refresh token. An empty scope is ignored.
	const { scope, ...others } = form;
	if (scope && scope !== SCOPE) {
		throw new OAuth2Server.InvalidScopeError(`The only scope is ${SCOPE}.`);
	}
	return others;
}

function checkFields(form: Record<string, unknown>, { required, optional }: Fields): void {
	const known = ['grant_type', ...required, ...optional];
	const isValid =
		required.every((name) => form[name]) &&
		Object.entries(form).every(([name, value]) => known.includes(name) && typeof value === 'string');
	if (isValid) return;
	const names = ['grant_type', ...required, ...optional.map((name) => `${name} (optional)`)];
	throw new OAuth2Server.InvalidRequestError(`Send a form with only these fields, each once: ${names.join(', ')}.`);
}

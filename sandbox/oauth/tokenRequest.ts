import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyRequest } from 'fastify';

import { fingerprint } from './apps';
import { fieldsOf } from '../form';
import { SCOPE } from './model';

/** The fields of a grant's form besides `grant_type`. */
interface Fields {
	needed: readonly string[];
	optional: readonly string[];
}

/** The contract, section 4.2, and RFC 6749, sections 4.1.3 and 6. */
const fieldsByGrant: ReadonlyMap<string, Fields> = new Map([
	['client_credentials', { needed: [], optional: [] }],
	['authorization_code', { needed: ['code', 'redirect_uri'], optional: [] }],
	['refresh_token', { needed: ['refresh_token'], optional: ['scope'] }],
]);

/**
 * Reads a request for a token, as strictly as the contract and RFC 6749 let a service be.
 *
 * @returns the request as the OAuth library takes it
 * @throws OAuthError if the app does not name itself by HTTP Basic, or if the form has other fields
 *   than those of its grant
 */
export function readTokenRequest({ headers, body }: FastifyRequest): OAuth2Server.Request {
	return new OAuth2Server.Request({
		headers: { ...(headers as Record<string, string>), authorization: toAsciiBasic(headers) },
		method: 'POST',
		query: {},
		body: readGrantForm(body),
	});
}

function toAsciiBasic({ authorization = '' }: FastifyRequest['headers']): string {
	const [, encoded] = /^Basic (\S+)$/i.exec(authorization) ?? [];
	if (!encoded) {
		throw new OAuth2Server.InvalidClientError('Send client ID and secret by HTTP Basic.', {
			code: 401,
		});
	}
	const pair = Buffer.from(encoded, 'base64').toString('utf8');
	// The fingerprint holds the secret too; the library only wants to see some.
	return `Basic ${Buffer.from(`${fingerprint(pair)}:-`).toString('base64')}`;
}

function readGrantForm(body: unknown): Record<string, unknown> {
	const form = fieldsOf(body);
	if (typeof form.grant_type !== 'string' || !form.grant_type) {
		throw new OAuth2Server.InvalidRequestError('Send a form with one grant_type.');
	}
	const fields = fieldsByGrant.get(form.grant_type);
	if (!fields) {
		throw new OAuth2Server.UnsupportedGrantTypeError('There is no such grant_type here.');
	}
	checkFields(form, fields);
	// The library would use up the refresh token first, and an empty scope counts as none.
	const { scope, ...others } = form;
	if (scope && scope !== SCOPE) {
		throw new OAuth2Server.InvalidScopeError(`The one scope is ${SCOPE}.`);
	}
	return others;
}

function checkFields(form: Record<string, unknown>, { needed, optional }: Fields): void {
	const known = ['grant_type', ...needed, ...optional];
	const isFitting =
		needed.every((name) => form[name]) &&
		Object.entries(form).every(
			([name, value]) => known.includes(name) && typeof value === 'string',
		);
	if (isFitting) return;
	const names = ['grant_type', ...needed, ...optional.map((name) => `${name} (optional)`)];
	throw new OAuth2Server.InvalidRequestError(
		`Send a form with these fields, each once, and no others: ${names.join(', ')}.`,
	);
}

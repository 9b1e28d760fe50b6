import type { IDataObject } from 'n8n-workflow';

import { unexpectedBody } from '../../service/explain';
import { done, type Ended } from '../../service/failure';
import { asText, isBlank, isObject } from '../../shared/values';
import { SENDABLE_TOKEN } from './app';
import { noToken } from './tokenEndpoint';

const isText = (value: unknown) => typeof value === 'string' && /^(?!=)[\x20-\x7E]{1,16000}$/.test(value);
const isNumber = (value: unknown) => /^\d{1,16}(\.\d{1,16})?$/.test(asText(value));

/** What is kept of a token response (RFC 6749, section 5.1), and the time at which n8n found that the token expires. */
const TOKEN_FIELDS: ReadonlyArray<readonly [name: string, isValid: (value: unknown) => boolean]> = [
	['access_token', (value) => isText(value) && SENDABLE_TOKEN.test(asText(value))],
	['refresh_token', isText],
	['scope', isText],
	['expires_in', isNumber],
	['n8n_expires_at', isNumber],
];

/** Returns what is kept of a token response, each field only if it is valid. Fails if the token is no bearer. */
export function readTokens(body: unknown): Ended<IDataObject> {
	if (!isObject(body)) return noToken(unexpectedBody(body));
	if (!isBearer(body.token_type)) {
		return noToken(['the service sent a token of a type other than Bearer', 'Check the Base URL.']);
	}
	const kept = TOKEN_FIELDS.filter(([name, isValid]) => isValid(body[name]));
	// n8n sends a token without a type, or with whitespace around it, in the address.
	return done({ ...Object.fromEntries(kept.map(([name]) => [name, body[name]])), token_type: 'Bearer' });
}

/**
 * Whether n8n may send a token of this type as a bearer. A client must not use a token of a type that it does not know
 * (RFC 6749, section 7.1); n8n would send it in the address.
 */
function isBearer(tokenType: unknown): boolean {
	return isBlank(tokenType) || (typeof tokenType === 'string' && tokenType.trim().toLowerCase() === 'bearer');
}

import { type IDataObject, isExpression } from 'n8n-workflow';

import { Failed } from '../service/failure';
import { asText } from '../shared/values';
import { SENDABLE_TOKEN } from './app';
import { FOREIGN_TYPE, isBearer, noToken } from './tokenEndpoint';

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

/**
 * Returns what is kept of a token response, which n8n would store as it is.
 *
 * @throws Failed if n8n would evaluate a value or a name in it as an expression, or the token is no bearer
 */
export function readTokens(response: IDataObject): IDataObject {
	if (mayBeEvaluated(response)) {
		throw new Failed(noToken(['the response contains an n8n expression', 'Check the Base URL.']));
	}
	if (!isBearer(response.token_type)) throw new Failed(noToken(FOREIGN_TYPE));
	const kept = TOKEN_FIELDS.filter(([name, isValid]) => isValid(response[name]));
	// n8n sends a token without a type, or with whitespace around it, in the address.
	return { ...Object.fromEntries(kept.map(([name]) => [name, response[name]])), token_type: 'Bearer' };
}

/** No token response is nested as deeply. */
const MAX_DEPTH = 20;

/** Whether n8n would evaluate an expression in a value that it stores, or the value is nested too deeply to look. */
function mayBeEvaluated(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	if (depth > MAX_DEPTH) return true;
	return Object.entries(value).some(([name, inner]) => isExpression(name) || mayBeEvaluated(inner, depth + 1));
}

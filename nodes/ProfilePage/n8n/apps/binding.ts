import { type IDataObject, isExpression } from 'n8n-workflow';

import { serviceUrl } from '../../service/baseUrl';
import { Failed, invalid } from '../../service/failure';
import { readTokens, tokenFailure } from '../../service/tokenEndpoint';
import { asObject, asText } from '../../shared/values';
import { type CredentialData, digestOf } from './app';

/** A property of n8n's `oauthTokenData`: the digests of the token and of the app it belongs to. */
const BINDING = 'profile_page_binding';

/** Returns the digest of a public app. It is without the client secret: replacing that ends no consent. */
export function bindingOf({ baseUrl, clientId }: CredentialData): string {
	return digestOf(serviceUrl(baseUrl, ''), clientId);
}

/**
 * Returns what is kept of n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so
 * when an account is connected, so tokens are bound when they are first renewed. A binding contains the digest of its
 * token: when the account is connected again, n8n keeps the old binding beside the new token.
 *
 * @throws Failed if the tokens are bound to another app, the Base URL cannot be used, n8n would evaluate a value as an
 *   expression, or the token is no bearer
 */
export function bindTokens(data: CredentialData): IDataObject {
	const stored = asObject(data.oauthTokenData);
	if (mayBeEvaluated(stored)) {
		throw new Failed(tokenFailure(['the response contains an n8n expression', 'Check the Base URL.']));
	}
	const tokens = readTokens(stored);
	const app = bindingOf(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, boundApp] = asText(stored[BINDING]).split(' ', 2);
	if (boundToken === token && boundApp !== app) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw invalid('Credential', problem, advice);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

/** No token response is nested as deeply. */
const MAX_DEPTH = 20;

/** Whether n8n would evaluate an expression in a value that it stores, or the value is nested too deeply to look. */
function mayBeEvaluated(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	if (depth > MAX_DEPTH) return true;
	return Object.entries(value).some(([name, inner]) => isExpression(name) || mayBeEvaluated(inner, depth + 1));
}

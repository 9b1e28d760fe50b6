import { type IDataObject, isExpression } from 'n8n-workflow';

import { serviceUrl } from '../../service/baseUrl';
import { Failed, invalid } from '../../service/failure';
import { readTokens, tokenFailure } from '../../service/tokenEndpoint';
import { asObject, asText } from '../../shared/values';
import { type CredentialData, digestOf } from './app';

/** A property of n8n's `oauthTokenData`: the digest of the token, and its binding. */
const BOUND = 'profile_page_binding';

/** Returns what the tokens of a public app are bound to. Not to the client secret: a new one does not end the user's consent. */
export function bindingOf({ baseUrl, clientId }: CredentialData): string {
	return digestOf(serviceUrl(baseUrl, ''), clientId);
}

/**
 * Returns what is kept of n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so
 * when an account is connected, so tokens are bound when they are first renewed. The digest of the token is stored with
 * the binding: when the account is connected again, n8n keeps both beside the new token.
 *
 * @throws Failed if the tokens are bound to another app, the Base URL cannot be used, n8n would evaluate a value as an
 *   expression, or the token is no bearer
 */
export function bindTokens(data: CredentialData): IDataObject {
	const stored = asObject(data.oauthTokenData);
	if (mayBeEvaluated(stored)) {
		throw new Failed(tokenFailure('the response contains an n8n expression', 'Check the Base URL.'));
	}
	const tokens = readTokens(stored);
	const binding = bindingOf(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, knownBinding] = asText(stored[BOUND]).split(' ', 2);
	if (boundToken === token && knownBinding !== binding) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw invalid('Credential', problem, advice);
	}
	return { ...tokens, [BOUND]: `${token} ${binding}` };
}

/** No token response is nested as deeply. */
const MAX_DEPTH = 20;

/** Whether n8n would evaluate an expression in a value that it stores, or the value is nested too deeply to look. */
function mayBeEvaluated(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	if (depth > MAX_DEPTH) return true;
	return Object.entries(value).some(([name, inner]) => isExpression(name) || mayBeEvaluated(inner, depth + 1));
}

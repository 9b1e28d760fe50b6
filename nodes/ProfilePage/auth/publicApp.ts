import { type IDataObject, isExpression } from 'n8n-workflow';

import { explainUnexpectedBody } from '../http/failures';
import { noToken, ServiceError, ValidationError } from '../shared/errors';
import { asObject, asText, isObject, parseJson } from '../shared/values';
import { pause, withTimeout } from '../shared/waiting';
import {
	type App,
	type CredentialData,
	derive,
	digestOf,
	type NodeContext,
	renewalTime,
	type StoredCredential,
} from './app';
import { serviceUrl } from './baseUrl';
import { explainTokenStatus, noTokenBecause, quoteErrorCode, readTokenHints } from './tokenFailures';

/** A property of n8n's `oauthTokenData`: the digests of the token and of the app it belongs to. */
const BINDING = 'profile_page_binding';

/** A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	check: (data) => {
		bindTokens(data);
		if (publicApp.readToken(data)) return;
		const advice = 'Open the credential, press Connect, and grant access.';
		throw new ValidationError('Credential', 'no account is connected', advice);
	},
	// Not the client secret: replacing it ends no consent.
	bindingOf: ({ baseUrl, clientId }) => digestOf(serviceUrl(baseUrl, ''), clientId),
	readToken: ({ oauthTokenData }) => {
		const { access_token: value, expires_in: expiresIn, n8n_expires_at: expiresAt } = asObject(oauthTokenData);
		if (typeof value !== 'string' || value === '') return undefined;
		// n8n before 2.40 does not store when it expires.
		return { value, renewAt: renewalTime(Number(expiresAt), 1000 * Number(expiresIn)) };
	},
	renew: refreshByN8n,
};

/**
 * Returns n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so when an account
 * is connected, so tokens are bound when they are first renewed. A binding names its token, because n8n keeps the
 * binding when the account is connected again.
 *
 * @throws ValidationError if the tokens are bound to another app, or the Base URL cannot be used
 * @throws ServiceError if n8n would evaluate a value as an expression
 */
export function bindTokens(data: CredentialData): IDataObject {
	const tokens = asObject(data.oauthTokenData);
	if (Object.values(tokens).some(isExpression)) {
		const problem = 'the response contains an n8n expression';
		throw noToken({ problem, advice: 'Check the Base URL.' });
	}
	const app = publicApp.bindingOf(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, boundApp] = asText(tokens[BINDING]).split(' ');
	if (boundToken === token && boundApp !== app) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw new ValidationError('Credential', problem, advice);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

const NOT_RENEWED = 'the service did not renew access to the account';

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

/** How n8n says that there is no refresh token, or that it was rejected (n8n 2.8 and older). */
const NEEDS_RECONNECTING = /\breconnect|^refreshToken is required/i;

/** n8n itself gives up after five minutes, for which every execution would wait. */
const TIME_LIMIT_MS = 60_000;

/** How often the credential is read, half a second apart, after the refresh token was rejected. */
const READS_AFTER_REJECTION = 5;

/** Makes n8n renew the tokens of a public app (RFC 6749, section 6), and store them bound to it. Throws ServiceError. */
async function refreshByN8n(
	context: NodeContext,
	{ data, itemIndex, rejected }: StoredCredential,
): Promise<CredentialData> {
	const type = publicApp.credentialType;
	let tokens = data.oauthTokenData;
	// n8n puts renewed tokens here before it stores them.
	const bindingData = Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => (tokens = bindTokens({ ...data, oauthTokenData })),
	});
	const getCredentials = async () => await Promise.resolve(bindingData);
	const refreshContext = derive(context, { getCredentials });
	try {
		await withTimeout(TIME_LIMIT_MS, undefined, async () => {
			await context.helpers.refreshOAuth2Token.call(refreshContext, type);
		});
	} catch (error) {
		const explained = error instanceof ServiceError ? error : explainRefresh(error);
		const newer = await readNewerTokens(context, { data, itemIndex }, explained);
		if (newer) return newer;
		throw explained;
	}
	const renewed = await context.getCredentials(type, itemIndex);
	if (publicApp.readToken(renewed)?.value !== rejected) return renewed;
	// n8n accepts any JSON object as new tokens, and keeps the old one.
	throw noToken({ problem: 'the response contains none', advice: CONNECT_AGAIN });
}

/** Another process may have used the refresh token at the same moment. Waits until it has stored the new tokens. */
async function readNewerTokens(
	context: NodeContext,
	{ data, itemIndex }: StoredCredential,
	{ advice }: ServiceError,
): Promise<CredentialData | undefined> {
	const reads = advice.includes('invalid_grant') ? READS_AFTER_REJECTION : 1;
	for (let read = 1; read <= reads; read += 1) {
		if (read > 1) await pause(500);
		const stored = await context.getCredentials(publicApp.credentialType, itemIndex);
		if (publicApp.readToken(stored)?.value !== publicApp.readToken(data)?.value) return stored;
	}
	return undefined;
}

/** Explains what n8n's OAuth client throws, which has many shapes. */
function explainRefresh(error: unknown): ServiceError {
	const { status, headers, body } = readErrorResponse(error);
	if (isObject(body) && typeof body.error === 'string') return explainRejection(body);
	if (status !== undefined && status >= 300) {
		const problem = explainTokenStatus(status, `${NOT_RENEWED}. ${CONNECT_AGAIN}`);
		return noToken(problem, readTokenHints(status, headers));
	}
	if (status !== undefined || error instanceof SyntaxError) {
		return noToken(explainUnexpectedBody(body));
	}
	const needsReconnecting = NEEDS_RECONNECTING.test(asText(asObject(error).message));
	return needsReconnecting ? explainRejection() : noTokenBecause(error);
}

/** @param body of the response, of which n8n drops the status */
function explainRejection(body?: unknown): ServiceError {
	const code = quoteErrorCode(body);
	const isFinal = code || body === undefined;
	const advice = isFinal
		? `${CONNECT_AGAIN}${code}`
		: 'Try again later. If that does not help, open the credential and connect the account again.';
	return noToken({ problem: NOT_RENEWED, advice }, { isTransient: !isFinal });
}

/** Reads what the error contains of the response: all of it, or its status and body, or its body. */
function readErrorResponse(error: unknown): {
	status?: number;
	headers: IDataObject;
	body?: unknown;
} {
	const { response, body } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	return {
		status: typeof status === 'number' ? status : undefined,
		headers: asObject(headers),
		body: typeof body === 'string' ? (parseJson(body) ?? body) : body,
	};
}

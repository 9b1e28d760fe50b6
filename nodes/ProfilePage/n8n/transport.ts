import type { IHttpRequestOptions } from 'n8n-workflow';

import { connectionFailure } from '../service/reasons';
import type { ServiceRequest, ServiceResponse } from '../service/request';
import { type Failure, requestFailure } from '../shared/failure';
import { asText, isObject } from '../shared/values';
import type { CredentialData } from './app';
import { derive, type NodeContext } from './context';
import { credentialFailures } from './errors';

export const REQUEST_OPTIONS = {
	// JSON that is not compressed: n8n's request helper waits forever for the rest of corrupt data.
	headers: { Accept: 'application/json', 'Accept-Encoding': 'identity' },
	returnFullResponse: true,
	// So that no error contains a response, and n8n does not itself renew the token and send the request again.
	ignoreHttpStatusErrors: true,
	// n8n would follow redirects, with the token of a public app or the client secret.
	disableFollowRedirect: true,
} as const;

/** Returns a request of the service as n8n sends it. `baseUrl` has no slash at its end. */
export function toHttpRequest(baseUrl: string, { method, path, form, json }: ServiceRequest): IHttpRequestOptions {
	const body = form ? encodeForm(form) : json;
	const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
	return {
		...REQUEST_OPTIONS,
		method,
		url: `${baseUrl}${path}`,
		headers: { ...REQUEST_OPTIONS.headers, ...(body && { 'Content-Type': contentType }) },
		...(body && { body }),
	};
}

function encodeForm(form: NonNullable<ServiceRequest['form']>): string {
	const query = new URLSearchParams();
	for (const [name, value] of form) query.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	return query.toString();
}

/**
 * Makes n8n sign and send a request.
 *
 * @param data the fields of the credential. If they contain no token, n8n first gets one, and adds it to them
 * @throws Failure that says why the credential has no token, or why the service did not respond
 */
export async function requestByN8n(
	context: NodeContext,
	credentialType: string,
	data: CredentialData,
	request: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<ServiceResponse> {
	// n8n's helper would read the credential for each request, and accepts no signal of ours.
	const requestContext = derive(context, {
		getCredentials: async () => await Promise.resolve(data),
		getExecutionCancelSignal: () => signal,
	});
	const { helpers } = context;
	try {
		const response: unknown = await helpers.httpRequestWithAuthentication.call(requestContext, credentialType, request);
		return response as ServiceResponse;
	} catch (error) {
		throw credentialFailures.get(data) ?? findConnectionFailure(error) ?? connectionFailure('');
	}
}

/** What n8n itself or its proxy refuses, by the messages, which come without a code. Nothing is sent then. */
const REFUSALS: ReadonlyArray<readonly [message: RegExp, problem: string, advice: string]> = [
	[
		/^The request was blocked because/,
		"n8n's SSRF protection blocks the address of the service",
		'Check the Base URL, or ask the administrator of your n8n to allow the service (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).',
	],
	[
		/^(Domain not allowed:|No allowed domains specified)/,
		'the credential does not allow requests to the host of the service',
		'Open the credential, and add the host to Allowed Domains, or set Allowed HTTP Request Domains to All.',
	],
	[/^Proxy connection ended/, 'the proxy of your n8n closed the connection', 'Check the settings of the proxy.'],
];

/** The codes by which n8n reports a response that broke off: a code of its HTTP client, or the status in n8n 1. */
const BROKEN_OFF = /^(?:ERR_BAD_RESPONSE|\d+)$/;

/** What Node.js says of a connection that was not made, or not encrypted. */
const UNREACHED = /\bconnect E|before secure TLS connection was established/;

/**
 * Explains why a request got no response; returns undefined if the error has neither a code nor a known message. Nothing
 * else of it is passed on: it may contain secrets.
 */
export function findConnectionFailure(error: unknown): Failure | undefined {
	const code = readCode(error);
	const messages = messagesOf(error);
	const refusal = REFUSALS.find(([pattern]) => messages.some((message) => pattern.test(message)));
	if (refusal) {
		const [, problem, advice] = refusal;
		return requestFailure(problem, advice, { outcome: 'not applied' });
	}
	if (code === '') return undefined;
	// An established connection may end with the same codes.
	const isUnreached = messages.some((message) => UNREACHED.test(message));
	const failure = connectionFailure(BROKEN_OFF.test(code) ? 'ECONNRESET' : code);
	return isUnreached ? failure.with({ outcome: 'not applied' }) : failure;
}

function messagesOf(error: unknown): string[] {
	if (!isObject(error)) return [];
	const { message, description, messages, cause } = error;
	const others: unknown[] = Array.isArray(messages) ? messages : [];
	return [...[message, description, ...others].map(asText), ...messagesOf(cause)];
}

/** n8n keeps the code as `httpCode` of what it throws, or in the cause. */
function readCode(error: unknown): string {
	if (!isObject(error)) return '';
	const code = error.code ?? error.httpCode;
	return typeof code === 'string' ? code : readCode(error.cause);
}

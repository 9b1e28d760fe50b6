import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { CredentialData } from '../oauth/app';
import { serviceUrl } from '../oauth/baseUrl';
import { ACCEPT_JSON } from '../oauth/tokenEndpoint';
import { NoTokenError, unwrapCredentialError } from '../shared/errors';
import { explainConnectionFailure } from '../shared/failures';
import { ExecutionCanceled, TimedOut, withTimeout } from '../shared/waiting';
import { cancelSignal, derive, type ServiceContext, type ServiceCredential } from './credential';
import type { ServiceResponse } from './response';
import { type ServiceRequest, toServiceError } from './serviceRequest';

const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';

/**
 * Sends a request with the credential's access token, and returns the response, whatever its status. Throws
 * ServiceError if there is no response within the timeout in milliseconds, or ExecutionCanceled.
 */
export async function sendByN8n(
	context: ServiceContext,
	credential: ServiceCredential,
	request: ServiceRequest,
	timeout: number,
): Promise<ServiceResponse> {
	// The token was chosen already: the credential must not find it expired.
	const data = { ...credential.data, accessTokenRenewAt: '' };
	const httpRequest = toHttpRequest(request, credential.data.baseUrl);
	const send = async (signal: AbortSignal) =>
		await callN8n(context, credential, data, httpRequest, signal);
	try {
		const { statusCode, headers, body } = await withTimeout(timeout, cancelSignal(context), send);
		return { status: statusCode, headers, body };
	} catch (error) {
		const { problem, advice, details } = explainConnectionFailure(error);
		const orWait = error instanceof TimedOut && request.hasOptions ? ` ${RAISE_TIMEOUT}` : '';
		const explained = { problem, advice: `${advice}${orWait}` };
		const failure = unwrapCredentialError(error) ?? toServiceError(request, explained, details);
		throw error instanceof ExecutionCanceled ? error : failure;
	}
}

/**
 * Makes n8n request and store a token of a private app, and returns the credential's fields with it. n8n does so only
 * on the way to a request; this one is aborted before it is sent. Throws ServiceError if there is no token.
 */
export async function grantByN8n(
	context: ServiceContext,
	credential: ServiceCredential,
): Promise<CredentialData> {
	const data: CredentialData = { ...credential.data, accessToken: '' };
	const neverSent = { url: serviceUrl(data.baseUrl, '') };
	const failure = await callN8n(context, credential, data, neverSent, AbortSignal.abort()).catch(
		(error: unknown) => error,
	);
	if (data.accessToken) return data;
	const problem = 'n8n could not get or store one';
	const advice = 'Try again. If that does not help, check the log of your n8n.';
	throw unwrapCredentialError(failure) ?? new NoTokenError({ problem, advice });
}

/** @param data the fields of the credential, to which n8n adds a token that it gets */
async function callN8n(
	context: ServiceContext,
	{ app }: ServiceCredential,
	data: CredentialData,
	request: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// n8n's helper would read the credential for each request, and accepts no signal of ours.
	const requestContext = derive(context, {
		getCredentials: async () => await Promise.resolve(data),
		getExecutionCancelSignal: () => signal,
	});
	return (await context.helpers.httpRequestWithAuthentication.call(
		requestContext,
		app.credentialType,
		request,
	)) as IN8nHttpFullResponse;
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, form, json } = request;
	const body = form ? new URLSearchParams(form).toString() : json;
	const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
	return {
		method,
		url: serviceUrl(baseUrl, path),
		headers: {
			...ACCEPT_JSON,
			...(body && { 'Content-Type': contentType }),
		},
		...(body && { body }),
		returnFullResponse: true,
		// So that no error contains a response.
		ignoreHttpStatusErrors: true,
		// For a public app n8n would follow redirects, with the token.
		disableFollowRedirect: true,
	};
}

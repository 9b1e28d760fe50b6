import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { ServiceCredential } from '../authentication';
import { ExecutionStopped, NoTokenError, unwrapExplained } from '../errors';
import { cancelSignal, type ServiceContext } from '../serviceContext';
import { withTimeout } from '../waiting';
import { serviceUrl } from './baseUrl';
import { toServiceError } from './connectionFailure';
import type { Answer } from './envelope';
import type { ServiceRequest } from './serviceRequest';
import type { GrantedToken } from './tokenBinding';

/**
 * Asks for JSON that is not compressed: n8n's request helper never notices that a compressed answer is
 * corrupt, and would wait for the rest of it.
 */
export const ACCEPT_JSON = { Accept: 'application/json', 'Accept-Encoding': 'identity' } as const;

/** The token was found good enough; the credential is not to judge its age once more. */
const NOT_EXPIRED: Pick<GrantedToken, 'accessTokenRenewAt'> = { accessTokenRenewAt: '' };

/**
 * Sends a request with the credential's access token.
 *
 * @param timeout how long the answer may take, in milliseconds
 * @returns the answer, whatever its status
 * @throws ServiceError if no answer came
 * @throws ExecutionStopped if the execution was stopped
 */
export async function sendByN8n(
	context: ServiceContext,
	credential: ServiceCredential,
	request: ServiceRequest,
	timeout: number,
): Promise<Answer> {
	const httpRequest = toHttpRequest(request, credential.data.baseUrl);
	try {
		const { statusCode, headers, body } = await withTimeout(
			timeout,
			cancelSignal(context),
			async (signal) =>
				await callN8n(
					context,
					credential,
					{ ...credential.data, ...NOT_EXPIRED },
					httpRequest,
					signal,
				),
		);
		return { status: statusCode, headers, body };
	} catch (error) {
		throw error instanceof ExecutionStopped
			? error
			: (unwrapExplained(error) ?? toServiceError(request, error));
	}
}

/**
 * Lets n8n request and store an access token of a private app. n8n does so only on the way to a
 * request; this one is aborted before it is sent.
 *
 * @returns the fields of the credential with the new token
 * @throws NoTokenError if the service granted none
 */
export async function grantByN8n(
	context: ServiceContext,
	credential: ServiceCredential,
): Promise<ICredentialDataDecryptedObject> {
	const data: ICredentialDataDecryptedObject = { ...credential.data, accessToken: '' };
	const neverSent: IHttpRequestOptions = { url: serviceUrl(data.baseUrl, '') };
	const failure: unknown = await callN8n(
		context,
		credential,
		data,
		neverSent,
		AbortSignal.abort(),
	).catch((error: unknown) => error);
	if (!data.accessToken) throw unwrapExplained(failure) ?? explainMissingToken();
	return data;
}

function explainMissingToken(): NoTokenError {
	return new NoTokenError(
		'No access token: n8n could not get or store one. Try again; if that does not help, look at the log of your n8n.',
	);
}

/**
 * @param data the fields of the credential. n8n puts a token that it gets into them.
 * @param signal aborts the request
 */
async function callN8n(
	context: ServiceContext,
	{ type }: ServiceCredential,
	data: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const ofRequest = contextWith(context, data, signal);
	return (await context.helpers.httpRequestWithAuthentication.call(
		ofRequest,
		type,
		request,
	)) as IN8nHttpFullResponse;
}

/**
 * The context, except for what n8n's request helper asks it for: the credential, which it would read
 * for each request, and the signal that aborts a request.
 */
export function contextWith(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	signal?: AbortSignal,
): ServiceContext {
	return Object.create(context, {
		getCredentials: { value: async () => await Promise.resolve(data) },
		...(signal && { getExecutionCancelSignal: { value: () => signal } }),
	}) as ServiceContext;
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, query, form } = request;
	const url = serviceUrl(baseUrl, path);
	return {
		method,
		url: query ? `${url}?${new URLSearchParams(query).toString()}` : url,
		headers: {
			...ACCEPT_JSON,
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		...(form && { body: new URLSearchParams(form).toString() }),
		returnFullResponse: true,
		// So that what is thrown is never an answer.
		ignoreHttpStatusErrors: true,
		// The private app's credential says so too; for a public app n8n would follow, with the token.
		disableFollowRedirect: true,
	};
}

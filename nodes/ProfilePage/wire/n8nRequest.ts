import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { ServiceCredential } from '../authentication';
import { ExecutionStopped, NoTokenError, unwrapExplained } from '../explainedErrors';
import { cancelSignal, type ServiceContext } from '../serviceContext';
import { orStopped } from '../waiting';
import { serviceUrl } from './baseUrl';
import { toServiceError } from './connectionFailure';
import { type Answer, findProblem } from './envelope';
import { describeAnswer } from './passing';
import type { ServiceRequest } from './serviceRequest';

/**
 * Sends a request with the credential's access token. If it has none, n8n gets one first, stores it,
 * and puts it into `data`.
 *
 * @param credential its data is changed: no two requests may share it
 * @param timeout how long all of it may take, in milliseconds
 * @returns the answer, whatever its status
 * @throws FieldError if the Base URL can't be used, before anything is sent
 * @throws NoTokenError if there is no token
 * @throws ServiceError if no answer came
 * @throws ExecutionStopped if the execution was stopped
 */
export async function sendByN8n(
	context: ServiceContext,
	{ type, data }: Pick<ServiceCredential, 'type' | 'data'>,
	request: ServiceRequest,
	timeout: number,
): Promise<Answer> {
	const httpRequest = toHttpRequest(request, data.baseUrl);
	try {
		const { statusCode, headers, body } = await inTime(context, timeout, async (signal) => {
			const ofRequest = contextWith(context, data, signal);
			return (await context.helpers.httpRequestWithAuthentication.call(
				ofRequest,
				type,
				httpRequest,
			)) as IN8nHttpFullResponse;
		});
		return { status: statusCode, headers, body };
	} catch (error) {
		throw error instanceof ExecutionStopped
			? error
			: (unwrapExplained(error) ?? toServiceError(request, error));
	}
}

/**
 * Lets n8n get and store a new access token of a public app.
 *
 * @param timeout how long it may take, in milliseconds
 * @throws NoTokenError if none came
 * @throws ExecutionStopped if the execution was stopped
 */
export async function refreshByN8n(
	context: ServiceContext,
	type: string,
	timeout: number,
): Promise<void> {
	try {
		await inTime(context, timeout, async () => {
			await context.helpers.refreshOAuth2Token.call(context, type);
		});
	} catch (error) {
		throw error instanceof ExecutionStopped ? error : explainRefresh(error);
	}
}

/** Ends some work when its time is up, or when the execution is stopped. */
async function inTime<T>(
	context: ServiceContext,
	timeout: number,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const stop = cancelSignal(context);
	if (stop?.aborted) throw new ExecutionStopped();
	const timeLimit = AbortSignal.timeout(timeout);
	const signal = stop ? AbortSignal.any([stop, timeLimit]) : timeLimit;
	try {
		return await orStopped(work(signal), signal);
	} catch (error) {
		throw stop?.aborted ? new ExecutionStopped() : timeLimit.aborted ? new TimeIsUp() : error;
	}
}

class TimeIsUp extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * The context, but for what n8n's request helper asks it: the credential, which it would read for each
 * request, and the signal that ends a request.
 */
function contextWith(
	context: ServiceContext,
	data: ICredentialDataDecryptedObject,
	signal: AbortSignal,
): ServiceContext {
	return Object.create(context, {
		getCredentials: { value: async () => await Promise.resolve(data) },
		getExecutionCancelSignal: { value: () => signal },
	}) as ServiceContext;
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, query, form } = request;
	const url = serviceUrl(baseUrl, path);
	return {
		method,
		url: query ? `${url}?${new URLSearchParams(query).toString()}` : url,
		headers: {
			Accept: 'application/json',
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

/** The request for a new token; what did not happen is worded as in the grant of a private app. */
const RENEWAL = {
	failure: 'No access token',
	basis: 'contract',
	badRequestAdvice: 'Check the credential.',
} as const;

/** n8n refreshes a token with a client of its own, whose errors keep the answer. */
function explainRefresh(error: unknown): NoTokenError {
	const { response } = error as { response?: { status: number; headers: Record<string, unknown> } };
	if (response) {
		const { status, headers } = response;
		const problem = findProblem({ status, body: undefined }, RENEWAL);
		return new NoTokenError(`${RENEWAL.failure}: ${problem}`, describeAnswer(status, headers));
	}
	const { message, details } = toServiceError(RENEWAL, error);
	// A second refresh, while the first may still be under way, could end what both are granted by.
	const isPassing = details.isPassing && !(error instanceof TimeIsUp);
	return new NoTokenError(message, { isPassing });
}

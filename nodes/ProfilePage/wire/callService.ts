import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	NodeApiError,
} from 'n8n-workflow';

import { readCredential } from '../authentication';
import { ServiceError, unwrapExplained } from '../explainedErrors';
import { serviceUrl } from './baseUrl';
import { afterFirstCall } from './coldStart';
import { describeConnectionFailure } from './connectionFailure';
import { type Answer, findProblem } from './envelope';
import { quoteService } from './serviceWords';

/** How long the service may stay silent. */
const TIME_LIMIT_MS = 30_000;

/** One call of the service's API. */
export interface ServiceRequest {
	readonly method: IHttpRequestMethods;
	/** As the contract gives it, with its leading slash. */
	readonly path: string;
	/** The fields of a form-encoded body. */
	readonly form?: Readonly<Record<string, string>>;
	/** What did not happen if this fails, to begin a message with: "The profile was not read". */
	readonly failure: string;
	/** What to do if the service refuses what was sent. */
	readonly badRequestAdvice: string;
	/** Looks for what the operation needs in a success envelope; says what is missing, if it is. */
	readonly findMissing?: (envelope: IDataObject) => string | undefined;
}

/**
 * Sends a call with the credential's access token, which n8n gets or renews when it must.
 *
 * @returns the success envelope, whole
 * @throws FieldError if the Base URL can't be used, before anything is sent
 * @throws ServiceError if the service does not answer with success
 */
export async function callService(
	context: IExecuteFunctions,
	request: ServiceRequest,
): Promise<IDataObject> {
	const credential = await readCredential(context);
	const httpRequest = toHttpRequest(request, credential.baseUrl);
	const answer = await afterFirstCall(
		credential.id,
		credential.hasToken,
		async () => await send(context, credential.type, request, httpRequest),
	);

	const envelope = answer.body as IDataObject;
	const problem = findProblem(answer, request.badRequestAdvice) ?? request.findMissing?.(envelope);
	if (!problem) return envelope;
	// Read again, so that a token renewed by the call is among them.
	const { secrets } = await readCredential(context);
	throw new ServiceError(
		quoteService(`${request.failure}: ${problem}`, answer.body, secrets),
		answer.status,
	);
}

function toHttpRequest(request: ServiceRequest, baseUrl: unknown): IHttpRequestOptions {
	const { method, path, form } = request;
	return {
		method,
		url: serviceUrl(baseUrl, path),
		headers: {
			Accept: 'application/json',
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		...(form && { body: new URLSearchParams(form).toString() }),
		returnFullResponse: true,
		// The private app's credential says so too; for a public app n8n would follow, with the token.
		disableFollowRedirect: true,
		timeout: TIME_LIMIT_MS,
	};
}

async function send(
	context: IExecuteFunctions,
	credentialType: string,
	request: ServiceRequest,
	httpRequest: IHttpRequestOptions,
): Promise<Answer> {
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			httpRequest,
		)) as IN8nHttpFullResponse;
		return { status: response.statusCode, body: response.body };
	} catch (error) {
		return readRefusal(error, request);
	}
}

/**
 * n8n throws for every status but 2xx, after it has tried a new token on a 401. What it throws
 * holds the request with its token, so only the answer is taken out of it. Where n8n keeps that
 * depends on its version.
 */
function readRefusal(error: unknown, { failure }: ServiceRequest): Answer {
	const explained = unwrapExplained(error);
	if (explained) throw explained;

	const { httpCode, cause, context } = error as Partial<NodeApiError>;
	if (!/^\d{3}$/.test(httpCode ?? '')) {
		throw new ServiceError(`${failure}: the service ${describeConnectionFailure(error)}`);
	}
	const { response } = (cause ?? {}) as { response?: { data?: unknown } };
	return { status: Number(httpCode), body: response?.data ?? context?.data };
}

import type { IDataObject } from 'n8n-workflow';

import type { Problem } from '../shared/errors';
import {
	explainStatus,
	explainUnexpectedBody,
	type Headers,
	isFailedStatus,
	isTransientStatus,
} from '../shared/failures';
import { isBlank, isObject } from '../shared/values';
import { isChange, type ServiceRequest } from './serviceRequest';

/** A response of the service, as n8n's request helper returns it. */
export interface ServiceResponse {
	readonly status: number;
	/** Parsed if it was JSON, else the text. */
	readonly body: unknown;
	readonly headers: Headers;
}

/**
 * Reads a response (docs/api.md, section 2.1). One without `status` is a success if nothing in it says otherwise; for
 * a change, it must also show that the change was made.
 *
 * @param read turns a success envelope into a result, whose `isConfirmed` says that it shows the change
 */
export function readResponse<T extends object>(
	response: ServiceResponse,
	request: ServiceRequest,
	read: (envelope: IDataObject) => T | Problem,
): T | Problem {
	const { status } = response;
	if (status < 200 || status > 299) return explainCallStatus(status, request);
	const envelope = toEnvelope(response, request);
	if (envelope === undefined) {
		return { problem: 'the response is empty', advice: adviseIfUnclear(request) };
	}
	if (!isObject(envelope)) return explainUnexpectedBody(envelope, adviseOnAddress(request));
	const result = read(envelope);
	const showsChange = 'isConfirmed' in result && result.isConfirmed === true;
	const verdict = readVerdict(envelope, isChange(request), showsChange);
	if (verdict === 'succeeded' || isOtherStatus(envelope, request)) return result;
	// A text is not quoted: it might repeat a secret.
	const isQuotable =
		envelope.status === null || ['boolean', 'number'].includes(typeof envelope.status);
	const quote = isQuotable ? ` (status: ${JSON.stringify(envelope.status)})` : '';
	if (verdict === 'failed') {
		const problem = `the service reported a failure${quote}`;
		return { problem, advice: request.advice, isNotApplied: true };
	}
	const problem = `the response does not confirm success${quote}`;
	return { problem, advice: adviseIfUnclear(request) };
}

/** Returns the body, or undefined if it is empty. The response to a request that a user wrote may also be a list, or empty. */
function toEnvelope({ status, body }: ServiceResponse, request: ServiceRequest): unknown {
	const content = isBlank(body) ? undefined : body;
	if (request.documentedBy !== 'user') return content;
	if (Array.isArray(content)) return { data: content };
	return content ?? (status === 204 || !isChange(request) ? {} : undefined);
}

/** Whether a text in `status` is part of what the user of the node reads, such as that of an order. */
function isOtherStatus(envelope: IDataObject, request: ServiceRequest): boolean {
	const isRead = request.documentedBy === 'user' && !isChange(request);
	const isText = typeof envelope.status === 'string' && !isFailedStatus(envelope.status);
	return isRead && isText && !reportsErrors(envelope);
}

/** Reads `status` alone if there is one, else the usual other fields. Only `true` is a success. */
function readVerdict(
	body: IDataObject,
	isChange: boolean,
	showsChange: boolean,
): 'succeeded' | 'failed' | 'unclear' {
	const { status, success } = body;
	if ('status' in body) {
		if (status === true) return 'succeeded';
		return isFailedStatus(status) ? 'failed' : 'unclear';
	}
	if (success === false) return 'failed';
	if (reportsErrors(body)) return showsChange ? 'unclear' : 'failed';
	if (success === true) return 'succeeded';
	return 'success' in body || (isChange && !showsChange) ? 'unclear' : 'succeeded';
}

/** Whether a response contains errors, whatever else it says. */
export function reportsErrors({ errors, error }: IDataObject): boolean {
	return hasContent(errors) || hasContent(error);
}

export function hasContent(value: unknown): boolean {
	const isNested = typeof value === 'object' && value !== null;
	return isNested ? Object.values(value).some(Boolean) : Boolean(value);
}

function adviseOnAddress({ documentedBy }: ServiceRequest): string {
	const advice = 'Check the Base URL in the credential.';
	return documentedBy === 'user' ? 'Check the Path, and the Base URL in the credential.' : advice;
}

/** Requests that are not idempotent have advice of their own. */
function adviseIfUnclear(request: ServiceRequest): string {
	if (!request.idempotent) return '';
	return isChange(request) ? 'Look at your profile to see the result.' : 'Try again later.';
}

const NOT_FOUND = 'the service has nothing at this address. Check the Base URL in the credential.';
const DENIED =
	'the service denied access. Check the permissions of the app in the settings of the service, and the Base URL in the credential.';

const CHECK_FIELDS = 'Check the Base URL in the credential and the fields of the node.';

/** What statuses say about a path depends on who knows it. */
const PATH_STATUSES = {
	contract: { 403: DENIED, 404: NOT_FOUND },
	'public documentation': {
		403: DENIED,
		404: `${NOT_FOUND} If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.`,
	},
	// Some services respond to unknown paths with 403 or a redirect.
	user: {
		'3xx':
			'the service responded with a redirect, or has nothing at this path. Check the Method and the Path, and the Base URL in the credential.',
		403: 'the service denied access, or has nothing at this path. Check the Method and the Path, the permissions of the app in the settings of the service, and the Base URL in the credential.',
		404: 'the service has nothing at this path. Check the Method and the Path, and the Base URL in the credential.',
	},
} as const;

function explainCallStatus(status: number, request: ServiceRequest): Problem {
	const { advice, idempotent, hasOptions, documentedBy } = request;
	const orBatch = hasOptions
		? ', or set Items per Batch and Batch Interval in the options of the node'
		: '';
	const isRetried = hasOptions && idempotent && isTransientStatus(status);
	const orRetry = isRetried ? ', or raise Max Retries in the options of the node' : '';
	const explained = explainStatus(status, {
		400: `the service rejected the request. ${advice}`,
		401: 'the service rejected a new access token. Check that the app still has access to the account, and that the credential is for the right app.',
		429: `the service is rate-limiting requests. Wait a while, then run the workflow less often${orBatch}.`,
		'4xx': `the service rejected the request. ${documentedBy === 'user' ? advice : CHECK_FIELDS}`,
		'5xx': `the service failed. Try again later${orRetry}.`,
		...PATH_STATUSES[documentedBy],
	});
	// Web applications redirect after success, and after 408 and 499 the server may still be working.
	const isNotApplied = status >= 400 && status < 500 && status !== 408 && status !== 499;
	return { ...explained, isNotApplied };
}

/** Returns the `data` of an envelope, or the one other object beside `status`, or else the whole envelope. */
export function readPayload(envelope: IDataObject): IDataObject {
	if (isObject(envelope.data)) return envelope.data;
	const [object, ...others] = Object.values(envelope).filter(isObject);
	return object && others.length === 0 && 'status' in envelope ? object : envelope;
}

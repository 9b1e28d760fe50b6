import type { IDataObject, INode } from 'n8n-workflow';

import { ServiceError } from '../shared/errors';
import { toNodeError } from '../shared/nodeErrors';

const NEXT_POLL = 'The next poll reports all links that are new by then.';

/** Returns the error of a poll that failed. n8n's scheduler reads `failure` to decide when to poll again. */
export function toPollError(node: INode, error: unknown): Error {
	const nodeError = toNodeError(node, error, undefined, { details: NEXT_POLL });
	return Object.assign(nodeError, { failure: failureOf(error) });
}

/** Returns why the service failed, in n8n's terms (`Failure` of n8n-workflow 2.40); undefined if it has none for it. */
function failureOf(error: unknown): IDataObject | undefined {
	if (!(error instanceof ServiceError)) return undefined;
	const { status = 0, isTransient, retryAfter } = error.details;
	const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (isTransient || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	return status === 401 ? { cause: 'credential-invalid' } : undefined;
}

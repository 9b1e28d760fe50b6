import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors';
import { findProblem, isRefused } from './envelope';
import { describeAnswer } from './retryHints';
import type { ServiceClient } from './serviceClient';
import { describeFailure, type ServiceRequest } from './serviceRequest';
import { quoteService } from './serviceWords';

/**
 * Calls the service once.
 *
 * @returns the success envelope, whole
 * @throws ServiceError if the service does not answer with success
 * @throws ExecutionStopped if the execution was stopped
 */
export async function callService(
	client: ServiceClient,
	request: ServiceRequest,
): Promise<IDataObject> {
	const answer = await client.send(request);
	const envelope = answer.body as IDataObject;
	const problem = findProblem(answer, request) ?? request.findMissing?.(envelope);
	if (!problem) return envelope;
	const isNotApplied = isRefused(answer, request);
	const message = describeFailure(request, problem, isNotApplied);
	throw new ServiceError(quoteService(message, answer.body, client.secrets), {
		...describeAnswer(answer.status, answer.headers),
		isNotApplied,
	});
}

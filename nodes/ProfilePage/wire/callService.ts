import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../explainedErrors';
import type { Connection } from './connection';
import { findProblem, isRefused } from './envelope';
import { describeAnswer } from './passing';
import { describeFailure, type ServiceRequest } from './serviceRequest';
import { quoteService } from './serviceWords';

/**
 * Calls the service once.
 *
 * @returns the success envelope, whole
 * @throws FieldError if the credential can't be used, before anything is sent
 * @throws ServiceError if the service does not answer with success
 * @throws ExecutionStopped if the execution was stopped
 */
export async function callService(
	connection: Connection,
	request: ServiceRequest,
): Promise<IDataObject> {
	const answer = await connection.send(request);
	const envelope = answer.body as IDataObject;
	const problem = findProblem(answer, request) ?? request.findMissing?.(envelope);
	if (!problem) return envelope;
	const isNotDone = isRefused(answer);
	const message = describeFailure(request, problem, isNotDone);
	throw new ServiceError(quoteService(message, answer.body, connection.secrets), {
		...describeAnswer(answer.status, answer.headers),
		isNotDone,
	});
}

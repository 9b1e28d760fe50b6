import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { readGroupId } from '../resources/groups/groupField';
import { listRequest, readLinks } from '../resources/links/linkRequests';
import { isProblem, type Problem, ServiceError } from '../shared/errors';
import { asObject, asText } from '../shared/values';
import { TimedOut, withTimeout } from '../shared/waiting';
import { derive, readCredential } from '../transport/credential';
import { withRetries } from '../transport/retries';
import { ServiceClient } from '../transport/serviceClient';
import { toServiceError } from '../transport/serviceRequest';

const WAIT = { timeout: 15_000, maxRetries: 1 };

/** The links that the service lists now, the newest first, and what identifies this list: credential, app, and group. */
export interface LinkList {
	readonly links: IDataObject[];
	readonly source: string;
}

/**
 * Reads the list of links.
 *
 * @param timeLimit in milliseconds, for all attempts together
 * @throws ServiceError, ValidationError, or an error of n8n, such as that of an expression
 */
export async function readList(context: IPollFunctions, timeLimit: number): Promise<LinkList> {
	const groupId = readGroup(context);
	const request = listRequest(groupId);
	let lastError: ServiceError | undefined;
	const read = async (signal: AbortSignal) => {
		const abortable = derive(context, { getExecutionCancelSignal: () => signal });
		const credential = await readCredential(abortable, 0);
		const client = new ServiceClient(abortable, credential, WAIT);
		const attempt = async () => {
			try {
				return await client.call(request, readIdentifiableLinks);
			} catch (error) {
				if (error instanceof ServiceError) lastError = error;
				throw lastError ?? error;
			}
		};
		const links = await withRetries(attempt, { maxRetries: WAIT.maxRetries, signal });
		return { links, source: [credential.source, groupId].join(' ').trim() };
	};
	try {
		return await withTimeout(timeLimit, undefined, read);
	} catch (error) {
		const problem = 'the service did not respond in time';
		const advice = 'Check whether the service is running.';
		const timedOut = toServiceError(request, { problem, advice }, { isTransient: true });
		// If time ran out while the service had asked to wait, its response says more.
		throw error instanceof TimedOut ? (lastError ?? timedOut) : error;
	}
}

/** The group in Filters; undefined for any group. */
export function readGroup(context: IPollFunctions): string | undefined {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	return isAny ? undefined : readGroupId(filters.groupId);
}

/** Without IDs, the trigger would never find a new link. */
function readIdentifiableLinks(envelope: IDataObject): IDataObject[] | Problem {
	const links = readLinks(envelope);
	const hasIds = isProblem(links) || links.some(({ link_id: id }) => asText(id) !== '');
	if (hasIds || links.length === 0) return links;
	const problem = 'the links in the response have no IDs (link_id)';
	return { problem, advice: 'Check the Base URL in the credential.' };
}

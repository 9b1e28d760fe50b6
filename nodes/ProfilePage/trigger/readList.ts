import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { readCredential } from '../auth/credential';
import { readGroupId } from '../resources/groups/groupField';
import { listRequest, readLinks } from '../resources/links/linkRequests';
import { ServiceClient } from '../service/client';
import { inWords } from '../service/words';
import { ServiceError } from '../shared/errors';
import { asObject, asText } from '../shared/values';
import { TimedOut, withTimeout } from '../shared/waiting';

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
	const read = async (signal: AbortSignal) => {
		const credential = await readCredential(context, 0);
		const options = { ...WAIT, maxWait: timeLimit, signal };
		const client = new ServiceClient(context, credential, options);
		const links = await client.send(request, readIdentifiableLinks);
		return { links, source: [credential.identity, groupId].join(' ').trim() };
	};
	try {
		return await withTimeout(timeLimit, undefined, read);
	} catch (error) {
		const problem = 'the service did not respond in time';
		const advice = 'Check whether the service is running.';
		const timedOut = new ServiceError(problem, advice, { isTransient: true });
		throw error instanceof TimedOut ? inWords(request, timedOut) : error;
	}
}

/** The group in Filters; undefined for any group. */
export function readGroup(context: IPollFunctions): string | undefined {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	return isAny ? undefined : readGroupId(filters.groupId);
}

/** Without IDs, the trigger would never find a new link. */
function readIdentifiableLinks(envelope: IDataObject): IDataObject[] {
	const links = readLinks(envelope);
	const hasIds = links.some(({ link_id: id }) => asText(id) !== '');
	if (hasIds || links.length === 0) return links;
	const problem = 'the links in the response have no IDs (link_id)';
	throw new ServiceError(problem, 'Check the Base URL in the credential.');
}

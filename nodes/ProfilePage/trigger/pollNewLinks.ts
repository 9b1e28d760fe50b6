import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { readCredential } from '../auth/credential';
import { readGroupId } from '../resources/groups/groupField';
import { listRequest, MAX_LISTED, readLinks } from '../resources/links/linkRequests';
import { ServiceClient } from '../service/client';
import { inWords } from '../service/words';
import { ServiceError } from '../shared/errors';
import { toErrorInOneText, toNodeError } from '../shared/nodeErrors';
import { asObject, asText } from '../shared/values';
import { TimedOut, withTimeout } from '../shared/waiting';
import { findNewLinks, readMemory } from './linkMemory';

/** Polls are at least a minute apart. */
const TIME_LIMIT_MS = 45_000;
const WAIT = { timeout: 15_000, maxRetries: 1 };

const NEXT_POLL = 'The next poll reports all links that are new by then.';

/** The contexts, one for each activation, whose first poll has succeeded. */
const started = new WeakSet<IPollFunctions>();

/** The contexts that are polling now. A new activation does not wait for a poll of the one before. */
const polling = new WeakSet<IPollFunctions>();

/**
 * Polls for links that have become public since the last poll (docs/trigger.md).
 *
 * @returns an item for each, the oldest first; null if there is none. In a test of the editor, the newest link.
 * @throws NodeApiError or NodeOperationError if the list cannot be read
 */
export async function pollNewLinks(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	// n8n starts a poll even if the one before has not ended.
	if (polling.has(context)) return null;
	polling.add(context);
	const isTest = context.getMode() === 'manual';
	try {
		const links = isTest ? await readNewestLink(context) : await readNewLinks(context);
		return links.length > 0 ? [links.map((json) => ({ json }))] : null;
	} catch (error) {
		const node = context.getNode();
		if (isTest) throw toNodeError(node, error);
		const isFirst = !started.has(context);
		const isContinuation = isFirst && isContinued(context);
		// n8n shows only the message of an activation that fails.
		if (isFirst && !isContinuation) throw toErrorInOneText(node, error);
		const report = { summary: '', details: NEXT_POLL };
		const nodeError = toNodeError(node, error, undefined, report);
		if (!isContinuation) throw nodeError;
		// If the first poll of an activation throws, n8n soon stops polling.
		context.__emitError(nodeError);
		return null;
	} finally {
		polling.delete(context);
	}
}

async function readNewestLink(context: IPollFunctions): Promise<IDataObject[]> {
	const { links } = await readList(context);
	const [newest] = links;
	if (newest) return [newest];
	const where = readGroup(context) === undefined ? '' : ' in this group';
	const message = `There is no public link${where} to show`;
	const description = where
		? 'Add a link to the group, or choose another group in Filters, and try again.'
		: 'Create a link on your profile, and try again.';
	throw new NodeOperationError(context.getNode(), message, { description });
}

async function readNewLinks(context: IPollFunctions): Promise<IDataObject[]> {
	const { links, source } = await readList(context);
	const stored = context.getWorkflowStaticData('node');
	const isKnown = stored.source === source && !isNewActivation(context);
	const { newLinks, memory } = findNewLinks(links, isKnown ? readMemory(stored) : undefined);
	Object.assign(stored, { source, ...memory });
	started.add(context);
	if (newLinks.length >= MAX_LISTED) context.__emitError(tooManyLinks(context));
	return newLinks;
}

function isNewActivation(context: IPollFunctions): boolean {
	return !started.has(context) && ['activate', 'create'].includes(context.getActivationMode());
}

/** Whether an activation follows a restart, or is that of a new version of a workflow that was active. */
function isContinued(context: IPollFunctions): boolean {
	const mode = context.getActivationMode();
	const hasMemory = readMemory(context.getWorkflowStaticData('node')) !== undefined;
	const isRestart = ['init', 'leadershipChange'].includes(mode);
	return isRestart || (mode === 'update' && hasMemory);
}

/** Reads the list of links, and what identifies it. */
async function readList(
	context: IPollFunctions,
): Promise<{ links: IDataObject[]; source: string }> {
	const groupId = readGroup(context);
	const request = listRequest(groupId);
	const read = async (signal: AbortSignal) => {
		const credential = await readCredential(context, 0);
		const client = new ServiceClient(context, credential, { ...WAIT, signal });
		const links = await client.send(request, readIdentifiableLinks);
		return { links, source: [credential.identity, groupId].join(' ').trim() };
	};
	try {
		return await withTimeout(TIME_LIMIT_MS, undefined, read);
	} catch (error) {
		const problem = 'the service did not respond in time';
		const advice = 'Check whether the service is running.';
		throw error instanceof TimedOut ? inWords(request, new ServiceError(problem, advice)) : error;
	}
}

/** Without IDs, the trigger would never find a new link. */
function readIdentifiableLinks(envelope: IDataObject): IDataObject[] {
	const links = readLinks(envelope);
	const hasIds = links.some(({ link_id: id }) => asText(id) !== '');
	if (hasIds || links.length === 0) return links;
	const problem = 'the links in the response have no IDs (link_id)';
	throw new ServiceError(problem, 'Check the Base URL in the credential.');
}

function readGroup(context: IPollFunctions): string | undefined {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	return isAny ? undefined : readGroupId(filters.groupId);
}

function tooManyLinks(context: IPollFunctions): NodeOperationError {
	const message = `There may be more new links than the ${MAX_LISTED} that the service lists`;
	const description = 'Add poll times, so that fewer links are new at each.';
	return new NodeOperationError(context.getNode(), message, { description });
}

import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { readCredential } from '../auth/credential';
import { readGroupId } from '../resources/groups/groupField';
import { listRequest, MAX_LISTED, readLinks } from '../resources/links/linkRequests';
import { ServiceClient } from '../service/client';
import { inWords } from '../service/words';
import { ServiceError } from '../shared/errors';
import { toErrorInOneText, toNodeError } from '../shared/nodeErrors';
import { asObject, asText } from '../shared/values';
import { TimedOut, withTimeout } from '../shared/waiting';
import { ActiveTrigger } from './activeTrigger';
import { findNewLinks } from './linkMemory';

/** Polls are at least a minute apart. */
const TIME_LIMIT_MS = 45_000;

/** What n8n returns as the budget of a poll that its scheduler did not start. */
const UNLIMITED_MS = 300_000;

/** n8n's poll context, with what newer versions add. */
type PollContext = IPollFunctions & {
	/** The milliseconds that n8n's scheduler allows for this poll. */
	getPollBudgetMs?(): number;
	/** Stores the static data of the node now, if n8n keeps it as a durable cursor. */
	__commitCursor?(): Promise<void>;
};

/** The contexts that have polled. */
const polled = new WeakSet<PollContext>();

/**
 * Polls for links that have become public since the last poll (docs/trigger.md).
 *
 * @returns an item for each, the oldest first; null if there is none. In a test of the editor, the newest link.
 * @throws NodeApiError or NodeOperationError if the list cannot be read
 */
export async function pollNewLinks(context: PollContext): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const links = isTest ? [await readNewestLink(context)] : await poll(context);
	return links.length > 0 ? [links.map((json) => ({ json }))] : null;
}

async function readNewestLink(context: PollContext): Promise<IDataObject> {
	const { links, groupId } = await readList(context, TIME_LIMIT_MS).catch((error: unknown) => {
		throw toNodeError(context.getNode(), error);
	});
	const [newest] = links;
	if (newest) return newest;
	const where = groupId === undefined ? '' : ' in this group';
	const description = where
		? 'Add a link to the group, or choose another group in Filters, and try again.'
		: 'Create a link on your profile, and try again.';
	throw new NodeOperationError(context.getNode(), `There is no public link${where} to show`, { description });
}

/** Polls, unless another poll of the node is running. The first poll of an activation waits for that to end. */
async function poll(context: PollContext): Promise<IDataObject[]> {
	const trigger = ActiveTrigger.of(context);
	const budget = context.getPollBudgetMs?.() ?? UNLIMITED_MS;
	const hasBudget = budget !== UNLIMITED_MS;
	// With a margin, so that the poll ends before n8n's scheduler abandons it.
	const deadline = Date.now() + (hasBudget ? budget * 0.9 : TIME_LIMIT_MS);
	// The scheduler makes a context for each poll.
	const isFirst = !hasBudget && !polled.has(context);
	polled.add(context);
	if (isFirst) return await trigger.exclusively(async () => await pollFirst(context, trigger, deadline));
	if (trigger.isPolling) return [];
	const newLinks = trigger.exclusively(async () => await readNewLinks(context, trigger, deadline));
	return await newLinks.catch((error: unknown) => {
		throw toPollError(context, error);
	});
}

async function pollFirst(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const mode = context.getActivationMode();
	if (['activate', 'create'].includes(mode)) trigger.startsOver = true;
	try {
		const newLinks = await readNewLinks(context, trigger, deadline);
		// n8n commits the cursor only after later polls. Without this, a restart before the second poll loses the memory.
		if (newLinks.length === 0) await context.__commitCursor?.();
		return newLinks;
	} catch (error) {
		const isRestart = ['init', 'leadershipChange'].includes(mode);
		// A new version of a workflow that was active.
		const isNewVersion = mode === 'update' && !trigger.startsOver && trigger.latest(context) !== undefined;
		// n8n shows only the message of an activation that fails.
		if (!isRestart && !isNewVersion) throw toErrorInOneText(context.getNode(), error);
		// If the first poll of an activation throws, n8n soon stops polling.
		context.__emitError(toPollError(context, error));
		return [];
	}
}

async function readNewLinks(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const { links, source } = await readList(context, deadline - Date.now());
	const known = trigger.startsOver ? undefined : trigger.latest(context);
	const isKnown = known?.source === source;
	if (isKnown && trigger.hasReportedSince(context)) return [];
	const { newLinks, memory } = findNewLinks(links, isKnown ? known : undefined);
	trigger.update(context, { source, ...memory }, newLinks.length > 0);
	trigger.startsOver = false;
	if (newLinks.length >= MAX_LISTED) {
		const message = `There may be more new links than the ${MAX_LISTED} that the service lists`;
		const description = 'Add poll times, so that fewer links are new at each.';
		context.__emitError(new NodeOperationError(context.getNode(), message, { description }));
	}
	return newLinks;
}

/**
 * Reads the list of links.
 *
 * @param timeLimit in milliseconds, for all attempts together
 * @returns the links that the service lists now, the newest first; what identifies this list: credential, app, and
 *   group; and the group in Filters, undefined for any group
 * @throws ServiceError, ValidationError, or an error of n8n, such as that of an expression
 */
async function readList(context: PollContext, timeLimit: number) {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	const groupId = isAny ? undefined : readGroupId(filters.groupId);
	const request = listRequest(groupId);
	const read = async (signal: AbortSignal) => {
		const credential = await readCredential(context, 0);
		const options = { timeout: 15_000, maxRetries: 1, maxWait: timeLimit, signal };
		const client = new ServiceClient(context, credential, options);
		const links = await client.send(request, readIdentifiableLinks);
		return { links, source: [credential.identity, groupId].join(' ').trim(), groupId };
	};
	try {
		return await withTimeout(timeLimit, undefined, read);
	} catch (error) {
		const problem = 'the service did not respond in time';
		const timedOut = new ServiceError(problem, 'Check whether the service is running.', { isTransient: true });
		throw error instanceof TimedOut ? inWords(request, timedOut) : error;
	}
}

/** Without IDs, the trigger would never find a new link. */
function readIdentifiableLinks(envelope: IDataObject): IDataObject[] {
	const links = readLinks(envelope);
	if (links.length === 0 || links.some(({ link_id: id }) => asText(id) !== '')) return links;
	throw new ServiceError('the links in the response have no IDs (link_id)', 'Check the Base URL in the credential.');
}

/** Returns the error of a poll that failed. n8n's scheduler reads `failure` to decide when to poll again. */
function toPollError(context: PollContext, error: unknown): Error {
	const details = 'The next poll reports all links that are new by then.';
	const nodeError = toNodeError(context.getNode(), error, undefined, { details });
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

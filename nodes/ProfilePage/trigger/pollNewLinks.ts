import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import { loadCredential } from '../n8n/credential';
import { toErrorInOneText, toNodeError } from '../n8n/errors';
import { readGroupId } from '../resources/groups/groupField';
import { toSimpleLink } from '../resources/links/linkOutput';
import { listRequest, MAX_LISTED, parseLinks } from '../resources/links/linkRequests';
import { Client } from '../service/client';
import { locked } from '../service/lock';
import { timedOut } from '../service/reasons';
import { withTimeout } from '../service/waiting';
import { type Failure, nodeFailure, toFailure } from '../shared/failure';
import { asObject } from '../shared/values';
import { ActiveTrigger } from './activeTrigger';
import { findNewLinks } from './linkMemory';

/** Polls are at least a minute apart. */
const POLL_TIME_LIMIT_MS = 45_000;

/** What n8n returns as the budget of a poll that its scheduler did not start. */
const UNLIMITED_MS = 300_000;

/** n8n's poll context, with what newer versions add. */
type PollContext = IPollFunctions & {
	/** The milliseconds that n8n's scheduler allows for this poll. */
	getPollBudgetMs?(): number;
	/** Stores the static data of the node now, if n8n keeps it as a durable cursor. */
	__commitCursor?(): Promise<void>;
};

const polled = new WeakSet<PollContext>();

/**
 * Polls for links that have become public since the last poll (docs/trigger.md).
 *
 * @returns an item for each, the oldest first; null if there is none. In a test of the editor, the newest link.
 * @throws NodeApiError or NodeOperationError if the list cannot be read
 */
export async function pollNewLinks(context: PollContext): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const links = isTest ? [await loadNewestLink(context)] : await poll(context);
	return links.length > 0 ? [links.map((link) => ({ json: toSimpleLink(link) }))] : null;
}

async function loadNewestLink(context: PollContext): Promise<IDataObject> {
	try {
		const { links, groupId } = await loadLinks(context, POLL_TIME_LIMIT_MS);
		const [newest] = links;
		if (newest) return newest;
		const where = groupId === undefined ? '' : ' in this group';
		const advice = where
			? 'Add a link to the group, or choose another group in Filters, and try again.'
			: 'Create a link on your profile, and try again.';
		throw nodeFailure(`there is no public link${where} to show`, advice);
	} catch (error) {
		throw toNodeError(context.getNode(), toFailure(error));
	}
}

async function poll(context: PollContext): Promise<IDataObject[]> {
	const trigger = ActiveTrigger.of(context);
	const budget = context.getPollBudgetMs?.() ?? UNLIMITED_MS;
	const hasBudget = budget !== UNLIMITED_MS;
	// With a margin, so that the poll ends before n8n's scheduler abandons it.
	const deadline = Date.now() + (hasBudget ? budget * 0.9 : POLL_TIME_LIMIT_MS);
	// Without the scheduler, all polls of an activation have the same context: the first poll is its first use.
	const isFirst = !hasBudget && !polled.has(context);
	polled.add(context);
	// The polls of a node follow each other.
	if (isFirst) return await locked(trigger.id, async () => await pollFirst(context, trigger, deadline));
	try {
		return await locked(trigger.id, async () => await loadNewLinks(context, trigger, deadline));
	} catch (error) {
		throw toPollError(context, toFailure(error));
	}
}

async function pollFirst(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const mode = context.getActivationMode();
	if (['activate', 'create'].includes(mode)) trigger.startsOver = true;
	try {
		const newLinks = await loadNewLinks(context, trigger, deadline);
		// n8n commits the cursor only after later polls. Without this, a restart before the second poll loses the memory.
		if (newLinks.length === 0) await context.__commitCursor?.();
		return newLinks;
	} catch (error) {
		const failure = toFailure(error);
		const isRestart = ['init', 'leadershipChange'].includes(mode);
		// A new version of a workflow that was active.
		const isNewVersion = mode === 'update' && !trigger.startsOver && trigger.latest(context) !== undefined;
		// n8n shows only the message of an activation that fails.
		if (!isRestart && !isNewVersion) throw toErrorInOneText(context.getNode(), failure);
		// If the first poll of an activation throws, n8n soon stops polling.
		context.__emitError(toPollError(context, failure));
		return [];
	}
}

async function loadNewLinks(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const { links, source } = await loadLinks(context, deadline - Date.now());
	const latest = trigger.startsOver ? undefined : trigger.latest(context);
	const { newLinks, memory } = findNewLinks(links, latest?.source === source ? latest : undefined);
	trigger.update(context, { source, ...memory });
	trigger.startsOver = false;
	if (newLinks.length >= MAX_LISTED) {
		const problem = `there may be more new links than the ${MAX_LISTED} that the service lists`;
		const failure = nodeFailure(problem, 'Add poll times, so that fewer links are new at each.');
		context.__emitError(toNodeError(context.getNode(), failure));
	}
	return newLinks;
}

/**
 * Reads the list of links, the newest first.
 *
 * @param timeLimit in milliseconds, for all attempts together
 * @returns `source` identifies the list: account and group
 */
async function loadLinks(context: PollContext, timeLimit: number) {
	const groupId = readGroup(context);
	const request = listRequest(groupId);
	const advice = 'Check whether the service is running.';
	const outOfTime = () => timedOut().with({ outcome: 'not applied', advice, request });
	return await withTimeout(timeLimit, undefined, outOfTime, async (signal) => {
		const credential = await loadCredential(context);
		const options = { timeout: 15_000, maxRetries: 1, maxWait: timeLimit, stopSignal: signal, cancelSignal: signal };
		const client = new Client(new CredentialAccount(context, credential, options), options);
		// Without IDs, no link would ever be new.
		const links = await client.request(request, (envelope) => parseLinks(envelope, 'link_id'));
		return { links, groupId, source: [credential.id, groupId].join(' ').trim() };
	});
}

/** Returns the group in Filters; undefined for any group. Throws Failure if it is invalid, or an error of n8n. */
function readGroup(context: PollContext): string | undefined {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	return isAny ? undefined : readGroupId(filters.groupId);
}

/** Returns the error of a poll that failed. n8n's scheduler reads `failure` to decide when to poll again. */
function toPollError(context: PollContext, failure: Failure): Error {
	const details = 'The next poll reports all links that are new by then.';
	return Object.assign(toNodeError(context.getNode(), failure, { details }), {
		failure: inTermsOfN8n(failure),
	});
}

/** Returns why the service failed, in n8n's terms (`Failure` of n8n-workflow 2.40); undefined if it has none for it. */
function inTermsOfN8n({ data: { kind, passes, response } }: Failure): IDataObject | undefined {
	if (kind !== 'request' && kind !== 'token') return undefined;
	const { status = 0, retryAfter } = response ?? {};
	const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (passes === 'soon' || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	return status === 401 ? { cause: 'credential-invalid' } : undefined;
}

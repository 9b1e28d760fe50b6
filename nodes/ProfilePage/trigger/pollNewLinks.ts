import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { CredentialAccount } from '../n8n/account';
import { loadCredential } from '../n8n/credential';
import { toErrorInOneText, toNodeError } from '../n8n/errors';
import { readGroupId } from '../resources/groups/groupField';
import { listRequest, MAX_LISTED, parseLinks } from '../resources/links/linkRequests';
import { Client } from '../service/client';
import { TIMED_OUT } from '../service/connection';
import { type Ended, type Failure, mapDone, settle } from '../service/failure';
import { withTimeout } from '../service/waiting';
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
	const links = isTest ? [await loadNewestLink(context)] : await poll(context);
	return links.length > 0 ? [links.map((json) => ({ json }))] : null;
}

async function loadNewestLink(context: PollContext): Promise<IDataObject> {
	const list = await loadLinks(context, POLL_TIME_LIMIT_MS);
	if (list.outcome !== 'done') throw toNodeError(context.getNode(), list);
	const { links, groupId } = list.result;
	const [newest] = links;
	if (newest) return newest;
	const where = groupId === undefined ? '' : ' in this group';
	const advice = where
		? 'Add a link to the group, or choose another group in Filters, and try again.'
		: 'Create a link on your profile, and try again.';
	throw toOperationError(context, `there is no public link${where} to show`, advice);
}

/** Polls, unless another poll of the node is running. The first poll of an activation waits for that to end. */
async function poll(context: PollContext): Promise<IDataObject[]> {
	const trigger = ActiveTrigger.of(context);
	const budget = context.getPollBudgetMs?.() ?? UNLIMITED_MS;
	const hasBudget = budget !== UNLIMITED_MS;
	// With a margin, so that the poll ends before n8n's scheduler abandons it.
	const deadline = Date.now() + (hasBudget ? budget * 0.9 : POLL_TIME_LIMIT_MS);
	// Without the scheduler, all polls of an activation have the same context: the first poll is its first use.
	const isFirst = !hasBudget && !polled.has(context);
	polled.add(context);
	if (isFirst) return await trigger.exclusively(async () => await pollFirst(context, trigger, deadline));
	if (trigger.isPolling) return [];
	const newLinks = await trigger.exclusively(async () => await loadNewLinks(context, trigger, deadline));
	if (newLinks.outcome === 'done') return newLinks.result;
	throw toPollError(context, newLinks);
}

async function pollFirst(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const mode = context.getActivationMode();
	if (['activate', 'create'].includes(mode)) trigger.startsOver = true;
	const newLinks = await loadNewLinks(context, trigger, deadline);
	if (newLinks.outcome === 'done') {
		// n8n commits the cursor only after later polls. Without this, a restart before the second poll loses the memory.
		if (newLinks.result.length === 0) await context.__commitCursor?.();
		return newLinks.result;
	}
	const isRestart = ['init', 'leadershipChange'].includes(mode);
	// A new version of a workflow that was active.
	const isNewVersion = mode === 'update' && !trigger.startsOver && trigger.latest(context) !== undefined;
	// n8n shows only the message of an activation that fails.
	if (!isRestart && !isNewVersion) throw toErrorInOneText(context.getNode(), newLinks);
	// If the first poll of an activation throws, n8n soon stops polling.
	context.__emitError(toPollError(context, newLinks));
	return [];
}

async function loadNewLinks(
	context: PollContext,
	trigger: ActiveTrigger,
	deadline: number,
): Promise<Ended<IDataObject[]>> {
	const list = await loadLinks(context, deadline - Date.now());
	return mapDone(list, ({ links, source }) => {
		const newLinks = compareWithKnown(context, trigger, links, source);
		trigger.startsOver = false;
		return newLinks;
	});
}

/** Returns the new links in a list, and notes them. */
function compareWithKnown(
	context: PollContext,
	trigger: ActiveTrigger,
	links: IDataObject[],
	source: string,
): IDataObject[] {
	const known = trigger.startsOver ? undefined : trigger.latest(context);
	const isKnown = known?.source === source;
	if (isKnown && trigger.hasReportedSince(context)) return [];
	const { newLinks, memory } = findNewLinks(links, isKnown ? known : undefined);
	trigger.update(context, { source, ...memory }, newLinks.length > 0);
	if (newLinks.length >= MAX_LISTED) {
		const problem = `there may be more new links than the ${MAX_LISTED} that the service lists`;
		context.__emitError(toOperationError(context, problem, 'Add poll times, so that fewer links are new at each.'));
	}
	return newLinks;
}

/**
 * Reads the list of links.
 *
 * @param timeLimit in milliseconds, for all attempts together
 */
async function loadLinks(context: PollContext, timeLimit: number): Promise<Ended<CurrentLinks>> {
	const filter = settle(() => readGroup(context));
	if (filter.outcome !== 'done') return filter;
	const groupId = filter.result;
	const request = listRequest(groupId);
	return await withTimeout(timeLimit, undefined, { ...OUT_OF_TIME, purpose: request }, async (signal) => {
		const credential = await loadCredential(context, 0);
		if (credential.outcome !== 'done') return credential;
		const options = { timeout: 15_000, maxRetries: 1, maxWait: timeLimit, signal, cancelSignal: signal };
		const account = new CredentialAccount(context, credential.result, options);
		const client = new Client(account, options);
		// Without IDs, no link would ever be new.
		const links = await client.request(request, (envelope) => parseLinks(envelope, 'link_id'));
		const source = [account.id, groupId].join(' ').trim();
		return mapDone(links, (listed) => ({ links: listed, source, groupId }));
	});
}

/** A list as it is now: its links, the newest first; what identifies it: credential, app, and group; and the group in Filters. */
interface CurrentLinks {
	readonly links: IDataObject[];
	readonly source: string;
	readonly groupId?: string;
}

const OUT_OF_TIME: Failure = { ...TIMED_OUT, advice: 'Check whether the service is running.', outcome: 'not applied' };

/** Returns the group in Filters; undefined for any group. Throws Failed if it is invalid, or an error of n8n. */
function readGroup(context: PollContext): string | undefined {
	const filters = asObject(context.getNodeParameter('filters', {}));
	const isAny = !Object.hasOwn(filters, 'groupId') || filters.groupId === '';
	return isAny ? undefined : readGroupId(filters.groupId);
}

/** Returns the error for a response that is no failure of the service. */
function toOperationError(context: PollContext, problem: string, advice: string): Error {
	return toNodeError(context.getNode(), { outcome: 'not applied', kind: 'field', problem, advice });
}

/** Returns the error of a poll that failed. n8n's scheduler reads `failure` to decide when to poll again. */
function toPollError(context: PollContext, failure: Failure): Error {
	const details = 'The next poll reports all links that are new by then.';
	return Object.assign(toNodeError(context.getNode(), failure, undefined, { details }), {
		failure: inTermsOfN8n(failure),
	});
}

/** Returns why the service failed, in n8n's terms (`Failure` of n8n-workflow 2.40); undefined if it has none for it. */
function inTermsOfN8n({ kind, status = 0, passes, retryAfter }: Failure): IDataObject | undefined {
	if (kind !== 'request' && kind !== 'token') return undefined;
	const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (passes || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	return status === 401 ? { cause: 'credential-invalid' } : undefined;
}

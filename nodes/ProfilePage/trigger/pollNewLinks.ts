import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openClient } from '../n8n/account';
import { loadCredential } from '../n8n/credential';
import { toErrorInOneText, toNodeError } from '../n8n/errors';
import { groupFilters, readGroupId } from '../resources/groups/groupField';
import { toOutput } from '../resources/links/linkOutput';
import { listRequest, MAX_LISTED } from '../resources/links/linkRequests';
import { locked } from '../service/lock';
import { timedOut } from '../service/reasons';
import { LIST_TIMEOUT_MS, withTimeout } from '../service/waiting';
import { nodeFailure, toFailure } from '../shared/failure';
import { asObject } from '../shared/values';
import { ActiveTrigger } from './activeTrigger';
import { findNewLinks } from './linkMemory';

/** Polls are at least a minute apart. */
const POLL_TIME_LIMIT_MS = 45_000;

/** What n8n returns as the budget of a poll that its scheduler did not start. */
const UNSCHEDULED_MS = 300_000;

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
	return links.length > 0 ? [links.map((link) => ({ json: toOutput(link) }))] : null;
}

async function loadNewestLink(context: PollContext): Promise<IDataObject> {
	try {
		const { links } = await loadLinks(context, POLL_TIME_LIMIT_MS);
		const [newest] = links;
		if (newest) return newest;
		const advice = 'Create a link on your profile, or choose another group in Filters, and try again.';
		throw nodeFailure('there is no public link to show', advice);
	} catch (error) {
		throw toNodeError(context.getNode(), toFailure(error));
	}
}

async function poll(context: PollContext): Promise<IDataObject[]> {
	const budget = context.getPollBudgetMs?.() ?? UNSCHEDULED_MS;
	// With a margin, so that the poll ends before n8n's scheduler abandons it.
	const deadline = Date.now() + Math.min(budget * 0.9, POLL_TIME_LIMIT_MS);
	// Without the scheduler, all polls of an activation have the same context: the first poll is its first use.
	const isFirst = budget === UNSCHEDULED_MS && !polled.has(context);
	polled.add(context);
	const trigger = ActiveTrigger.of(context);
	const load = async () => await loadNewLinks(context, trigger, deadline);
	// The polls of a node follow each other.
	return await locked(
		trigger.id,
		async () => await (isFirst ? pollFirst(context, trigger, load) : pollAgain(context, load)),
	);
}

/** A restart of n8n and a new version of a workflow continue where the trigger was. Any other activation starts over. */
async function pollFirst(
	context: PollContext,
	trigger: ActiveTrigger,
	load: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const mode = context.getActivationMode();
	const isRestart = mode === 'init' || mode === 'leadershipChange';
	const isNewVersion = mode === 'update' && trigger.latest(context) !== undefined;
	const startsOver = !isRestart && !isNewVersion;
	if (startsOver) trigger.startOver();
	try {
		const newLinks = await load();
		// n8n commits the cursor only after later polls. Without this, a restart before the second poll loses the memory.
		if (newLinks.length === 0) await context.__commitCursor?.();
		return newLinks;
	} catch (error) {
		// n8n shows only the message of an activation that fails.
		if (startsOver) throw toErrorInOneText(context.getNode(), toFailure(error));
		// If the first poll of an activation throws, n8n soon stops polling.
		context.__emitError(toPollError(context, error));
		return [];
	}
}

async function pollAgain(context: PollContext, load: () => Promise<IDataObject[]>): Promise<IDataObject[]> {
	try {
		return await load();
	} catch (error) {
		throw toPollError(context, error);
	}
}

function toPollError(context: PollContext, error: unknown): Error {
	const details = 'The next poll reports all links that are new by then.';
	return toNodeError(context.getNode(), toFailure(error), { details });
}

async function loadNewLinks(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	const { links, source } = await loadLinks(context, deadline - Date.now());
	const latest = trigger.latest(context);
	const { newLinks, memory } = findNewLinks(links, latest?.source === source ? latest : undefined);
	trigger.update(context, { source, ...memory });
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
	// Without IDs, no link would ever be new.
	const request = listRequest(groupId, 'link_id');
	const outOfTime = () => timedOut().with({ outcome: 'not applied', request });
	return await withTimeout(timeLimit, undefined, outOfTime, async (signal) => {
		const credential = await loadCredential(context);
		const options = {
			timeout: LIST_TIMEOUT_MS,
			maxRetries: 1,
			maxWait: timeLimit,
			stopSignal: signal,
			cancelSignal: signal,
		};
		const links = await openClient(context, credential, options).request(request);
		return { links, source: [credential.id, groupId].join(' ').trim() };
	});
}

/** Returns the group in Filters; undefined for any group. Throws Failure if it is invalid, or an error of n8n. */
function readGroup(context: PollContext): string | undefined {
	const { groupId } = { groupId: '', ...asObject(context.getNodeParameter(groupFilters.shown.name, {})) };
	return groupId === '' ? undefined : readGroupId(groupId);
}

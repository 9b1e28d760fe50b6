import { type IDataObject, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { MAX_LISTED } from '../resources/links/linkRequests';
import { toErrorInOneText, toNodeError } from '../shared/nodeErrors';
import { ActiveTrigger } from './activeTrigger';
import { findNewLinks } from './linkMemory';
import { isActivation, type PollContext, scheduledLimit } from './pollContext';
import { toPollError } from './pollErrors';
import { readGroup, readList } from './readList';

/** Polls are at least a minute apart. */
const TIME_LIMIT_MS = 45_000;

/**
 * Polls for links that have become public since the last poll (docs/trigger.md).
 *
 * @returns an item for each, the oldest first; null if there is none. In a test of the editor, the newest link.
 * @throws NodeApiError or NodeOperationError if the list cannot be read
 */
export async function pollNewLinks(context: PollContext): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const links = isTest ? await readNewestLink(context) : await poll(context);
	return links.length > 0 ? [links.map((json) => ({ json }))] : null;
}

async function readNewestLink(context: PollContext): Promise<IDataObject[]> {
	try {
		const [newest] = (await readList(context, TIME_LIMIT_MS)).links;
		if (newest) return [newest];
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
	const where = readGroup(context) === undefined ? '' : ' in this group';
	const message = `There is no public link${where} to show`;
	const description = where
		? 'Add a link to the group, or choose another group in Filters, and try again.'
		: 'Create a link on your profile, and try again.';
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Polls, unless another poll of the node is running. The first poll of an activation waits for that to end. */
async function poll(context: PollContext): Promise<IDataObject[]> {
	const trigger = ActiveTrigger.of(context);
	const deadline = Date.now() + (scheduledLimit(context) ?? TIME_LIMIT_MS);
	const run = isActivation(context) ? pollFirst : trigger.isPolling ? undefined : pollLater;
	return run ? await trigger.exclusively(async () => await run(context, trigger, deadline)) : [];
}

async function pollFirst(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	if (['activate', 'create'].includes(context.getActivationMode())) trigger.startsOver = true;
	try {
		const newLinks = await readNewLinks(context, trigger, deadline);
		// n8n itself does so only after later polls: a restart before the next one would lose what was there.
		if (newLinks.length === 0) await context.__commitCursor?.();
		return newLinks;
	} catch (error) {
		const node = context.getNode();
		// n8n shows only the message of an activation that fails.
		if (!isContinued(context, trigger)) throw toErrorInOneText(node, error);
		// If the first poll of an activation throws, n8n soon stops polling.
		context.__emitError(toPollError(node, error));
		return [];
	}
}

async function pollLater(context: PollContext, trigger: ActiveTrigger, deadline: number): Promise<IDataObject[]> {
	try {
		return await readNewLinks(context, trigger, deadline);
	} catch (error) {
		throw toPollError(context.getNode(), error);
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
	if (newLinks.length >= MAX_LISTED) context.__emitError(tooManyLinks(context));
	return newLinks;
}

/** Whether an activation follows a restart, or is that of a new version of a workflow that was active. */
function isContinued(context: PollContext, trigger: ActiveTrigger): boolean {
	const mode = context.getActivationMode();
	const hasState = trigger.latest(context) !== undefined;
	const isRestart = ['init', 'leadershipChange'].includes(mode);
	return isRestart || (mode === 'update' && hasState && !trigger.startsOver);
}

function tooManyLinks(context: PollContext): NodeOperationError {
	const message = `There may be more new links than the ${MAX_LISTED} that the service lists`;
	const description = 'Add poll times, so that fewer links are new at each.';
	return new NodeOperationError(context.getNode(), message, { description });
}

import type { IPollFunctions } from 'n8n-workflow';

/** n8n's poll context, with what newer versions add. */
export type PollContext = IPollFunctions & {
	/** In milliseconds. */
	getPollBudgetMs?(): number;
	/** Stores the static data of the node now, if n8n keeps it as a durable cursor. */
	__commitCursor?(): Promise<void>;
};

/** The budget of polls that n8n does not limit. */
const UNLIMITED_MS = 300_000;

/**
 * Returns the milliseconds that n8n's scheduler allows for this poll, less a margin, so that the poll ends before n8n
 * abandons it; undefined if the scheduler did not start it (docs/trigger.md).
 */
export function scheduledLimit(context: PollContext): number | undefined {
	const budget = context.getPollBudgetMs?.() ?? UNLIMITED_MS;
	return budget === UNLIMITED_MS ? undefined : budget * 0.9;
}

/** The contexts that have polled. */
const polled = new WeakSet<PollContext>();

/** Whether this is the first poll of an activation. To be called once for each poll. */
export function isActivation(context: PollContext): boolean {
	// The scheduler makes a context for each poll.
	const isFirst = scheduledLimit(context) === undefined && !polled.has(context);
	polled.add(context);
	return isFirst;
}

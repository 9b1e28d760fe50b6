import { capitalize, joined } from '../shared/values';
import type { Failure } from './failure';
import { isChange, type Purpose } from './request';

export interface FailureReport {
	readonly failure: Failure;
	/** What the call was for that failed; the same as its request, unless a list had to be read first. */
	readonly wanted?: Purpose;
	/** The change that may have been made, by the request that failed or in an earlier try. */
	readonly change?: Purpose;
}

/**
 * Returns what happened, such as "The profile info was not read: the service failed (500)"; "It is unknown whether the
 * link "A" was created: the service failed (500)"; "The link "A" was not created: the links were not read: the service
 * failed (500)".
 */
export function messageOf({ failure, wanted = failure.request, change }: FailureReport): string {
	const { kind, problem } = failure.data;
	const { request = wanted } = failure;
	const clause = kind === 'token' ? `no access token: ${problem}` : problem;
	if (!wanted || !request || kind === 'node' || kind === 'stopped') return capitalize(clause);
	// The sentence begins with an uncertain change. The request that failed is not named if it is a change too.
	const isNamed = kind === 'request' && !(change && isChange(request));
	const whole = isNamed ? `${notDone(request)}: ${clause}` : clause;
	if (change) return `It is unknown whether ${change.subject} ${change.effect.join(' ')}: ${whole}`;
	const isReadFirst = isChange(wanted) && !isChange(request);
	return capitalize(isReadFirst ? `${notDone(wanted)}: ${whole}` : whole);
}

function notDone({ subject, effect: [was, happened] }: Purpose): string {
	return `${subject} ${was} not ${happened}`;
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';
const MAY_BE_MADE = 'In an earlier try, the change may have been made. Look at your profile.';

/**
 * Returns what to do about a failure, and what the service said of it; empty if there is nothing to say.
 *
 * @param hasOptions whether users can set how requests are sent, in the options of the node
 */
export function adviceOn({ failure, change }: FailureReport, hasOptions = false): string {
	const { kind, isTimeout, advice, response, attempts } = failure.data;
	const isRepeatable = !change || change.idempotent || kind === 'node';
	return joined(
		' ',
		isTimeout && kind === 'token' && !change && 'The request itself was not sent.',
		advice ?? (isRepeatable && adviceToWait(failure, hasOptions)),
		isTimeout && kind === 'request' && hasOptions && RAISE_TIMEOUT,
		!isRepeatable && LOOK_FIRST,
		response?.said && sentence(`the service said: "${response.said}"`, response.said),
		attempts && `Attempts: ${attempts}.`,
		kind === 'node' && change && MAY_BE_MADE,
	);
}

/** Advises on a failure that may go away by itself, with the options of the node that help. */
function adviceToWait({ data: { kind, passes, response }, request }: Failure, hasOptions: boolean): string {
	if (passes !== 'soon' && passes !== 'later') return '';
	const areOptionsOfUse = hasOptions && kind === 'request' && response !== undefined && passes === 'soon';
	if (kind === 'request' && response?.status === 429) {
		const options = areOptionsOfUse ? ', or set Items per Batch and Batch Interval in the options of the node' : '';
		return `Wait a while, then run the workflow less often${options}.`;
	}
	const canRetry = areOptionsOfUse && request?.idempotent === true;
	return `Try again later${canRetry ? ', or raise Max Retries in the options of the node' : ''}.`;
}

/** Returns a clause as a sentence. `end` is what may end it already, inside quotation marks. */
export function sentence(clause: string, end = clause): string {
	return `${capitalize(clause)}${/[.!?…]$/.test(end) ? '' : '.'}`;
}

export const RUN_AGAIN_AFTER_THAT = 'Run the workflow again after that.';

/** Returns a clause with a time in milliseconds since 1970, rounded up, such as "2026-12-24 18:00 UTC". */
export function asksToWaitUntil(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `the service asks to wait until ${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

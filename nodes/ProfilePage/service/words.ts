import { type Failure, isChange, type Purpose } from '../shared/failure';
import { capitalize, joined } from '../shared/values';

/** Why something was not done: everything that its message says. */
export interface Explanation {
	readonly failure: Failure;
	/** What the call was for that failed; undefined if it could not be planned, and for lists of the editor. */
	readonly purpose?: Purpose;
	/** The change that may have been made all the same. */
	readonly uncertain?: UncertainChange;
}

/** A change that may have been made, by the request that failed or in an earlier try. */
export interface UncertainChange {
	readonly purpose: Purpose;
	/** Whether its call may be performed again without harm. */
	readonly isRepeatable: boolean;
}

/**
 * Returns what happened, such as "The profile info was not read: the service failed (500)"; "It is unknown whether the
 * link "A" was created: the service failed (500)"; "The link "A" was not created: the links were not read: the service
 * failed (500)".
 */
export function messageOf({ failure, purpose, uncertain }: Explanation): string {
	const { kind, problem } = failure.data;
	if (kind === 'node' || kind === 'stopped') return capitalize(problem);
	// After "it is unknown whether", no change is said not to be made.
	const named = findNotDone(failure, purpose).filter((each) => !uncertain || !isChange(each));
	const clauses = [
		...named.map(({ subject, effect: [was, happened] }) => `${subject} ${was} not ${happened}`),
		kind === 'token' ? `no access token: ${problem}` : problem,
	];
	const whole = clauses.join(': ');
	if (!uncertain) return capitalize(whole);
	const { subject, effect } = uncertain.purpose;
	return `It is unknown whether ${subject} ${effect.join(' ')}: ${whole}`;
}

/** Returns what was not done because of a failure: the change, if it failed while its call read something first, and the request. */
function findNotDone({ data, request }: Failure, purpose?: Purpose): Purpose[] {
	const failed = request ?? purpose;
	if (!failed) return [];
	const isReadFirst = purpose !== undefined && isChange(purpose) && !isChange(failed);
	return [...(isReadFirst ? [purpose] : []), ...(data.kind === 'request' ? [failed] : [])];
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const LOOK = 'Look at your profile to see the result.';
const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';
const MAY_BE_MADE = 'In an earlier try, the change may have been made. Look at your profile.';

/**
 * Returns what to do about a failure, and what the service said of it; empty if there is nothing to say.
 *
 * @param hasOptions whether users can set how requests are sent, in the options of the node
 */
export function adviceOn({ failure, uncertain }: Explanation, hasOptions = false): string {
	const { kind, isTimeout, advice, response, attempts } = failure.data;
	const mustLookFirst = uncertain !== undefined && !uncertain.isRepeatable && kind !== 'node';
	return joined(
		' ',
		isTimeout && kind === 'token' && !uncertain && 'The request itself was not sent.',
		advice ?? (!mustLookFirst && (adviceToWait(failure, hasOptions) || (uncertain && kind === 'request' && LOOK))),
		isTimeout && kind === 'request' && hasOptions && RAISE_TIMEOUT,
		mustLookFirst && LOOK_FIRST,
		response?.said && sentence(`the service said: "${response.said}"`, response.said),
		attempts && `Attempts: ${attempts}.`,
		kind === 'node' && uncertain && MAY_BE_MADE,
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
	const canRetry = areOptionsOfUse && request?.repeat === 'always';
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

import { capitalize, joined } from '../shared/values';
import { type Failure, wantedOf } from './failure';
import { isChange, type Purpose } from './request';

/** A failure as n8n shows it. */
export interface Words {
	/** What happened. */
	readonly message: string;
	/** What to do about it, and what the service said; empty if there is nothing to say. */
	readonly description: string;
}

/**
 * Puts a failure into words.
 *
 * @param hasOptions whether users can set how requests are sent, in the options of the node
 */
export function inWords(failure: Failure, hasOptions = false): Words {
	return { message: capitalize(clauseOf(failure)), description: adviseOn(failure, hasOptions) };
}

/** Returns message and description, for places that show a single text. */
export function inOneText(failure: Failure, hasOptions = false): string {
	const { message, description } = inWords(failure, hasOptions);
	return description ? `${message}. ${description}` : message;
}

/**
 * Returns what happened, as a clause: "the profile info was not read: the service failed (500)"; "it is unknown whether
 * the link "A" was created: the service failed (500)"; "the link "A" was not created: the links were not read: the
 * service failed (500)".
 */
function clauseOf(failure: Failure): string {
	const { kind, problem, purpose, wanted } = failure;
	const clause = kind === 'token' ? `no access token: ${problem}` : problem;
	if (!purpose || kind === 'stopped') return clause;
	const uncertain = uncertainChange(failure);
	// The sentence begins with an uncertain change. The request that failed is not named if it is that.
	const isNamed = kind === 'request' && !(uncertain && isChange(purpose));
	const whole = isNamed ? `${notDone(purpose)}: ${clause}` : clause;
	if (uncertain) return `it is unknown whether ${uncertain.subject} ${uncertain.effect.join(' ')}: ${whole}`;
	return wanted ? `${notDone(wanted)}: ${whole}` : whole;
}

/** Returns the change that may have been made; undefined if there is none, or a field is invalid. */
function uncertainChange(failure: Failure): Purpose | undefined {
	const { outcome, kind } = failure;
	const wanted = wantedOf(failure);
	return outcome === 'unknown' && kind !== 'field' && wanted && isChange(wanted) ? wanted : undefined;
}

function notDone({ subject, effect: [was, happened] }: Purpose): string {
	return `${subject} ${was} not ${happened}`;
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const RAISE_TIMEOUT = 'If it happens often, raise Timeout (ms) in the options of the node.';
const MAY_BE_MADE = 'In an earlier try, the change may have been made. Look at your profile.';

/** Returns what to do about a failure, and what the service said of it; empty if there is nothing to say. */
export function adviseOn(failure: Failure, hasOptions = false): string {
	const { kind, code, outcome, said, waitUntil, attempts = 0 } = failure;
	const uncertain = uncertainChange(failure);
	const isIdempotent = !uncertain || uncertain.idempotent;
	const isTimeout = code === 'ETIMEDOUT';
	return joined(
		' ',
		isTimeout && kind === 'token' && !uncertain && 'The request itself was not sent.',
		failure.advice ?? (isIdempotent && adviseToWait(failure, hasOptions)),
		isTimeout && kind === 'request' && hasOptions && RAISE_TIMEOUT,
		!isIdempotent && LOOK_FIRST,
		said && quote(said),
		waitUntil !== undefined && `${capitalize(asksToWaitUntil(waitUntil))}.`,
		attempts > 1 && `Attempts: ${attempts}.`,
		kind === 'field' && outcome === 'unknown' && MAY_BE_MADE,
	);
}

/** Advises on a failure that may go away by itself, with the options of the node that help. */
function adviseToWait({ kind, status, passes, purpose }: Failure, hasOptions: boolean): string {
	if (!passes) return '';
	const hasStatus = hasOptions && kind === 'request' && status !== undefined && passes === 'soon';
	if (kind === 'request' && status === 429) {
		const options = hasStatus ? ', or set Items per Batch and Batch Interval in the options of the node' : '';
		return `Wait a while, then run the workflow less often${options}.`;
	}
	const canRetry = hasStatus && purpose?.idempotent === true;
	return `Try again later${canRetry ? ', or raise Max Retries in the options of the node' : ''}.`;
}

function quote(said: string): string {
	return `The service said: "${said}"${/[.!?…]$/.test(said) ? '' : '.'}`;
}

/** Returns a clause with a time in milliseconds since 1970, rounded up, such as "2026-12-24 18:00 UTC". */
export function asksToWaitUntil(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `the service asks to wait until ${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

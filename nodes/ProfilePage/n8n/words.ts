import { asksToWaitUntil, statusFailure } from '../service/reasons';
import { type Failure, type FailureData, isChange, mayBeRepeated, type Purpose } from '../shared/failure';
import { capitalize, joined } from '../shared/values';

/**
 * Returns what happened, such as "The profile info was not read: the service failed (500)"; "It is unknown whether the
 * link "A" was created: the service failed (500)"; "The link "A" was not created: the links were not read: the service
 * failed (500)"; "No access token: the service failed (503)".
 */
export function messageOf({ data }: Failure): string {
	const reason = data.kind === 'token' ? `no access token: ${data.problem}` : data.problem;
	return capitalize([...outcomesOf(data), reason].join(': '));
}

/** Returns what became of the request, and of the change that was to follow it, if it read something for that. */
function outcomesOf({ kind, outcome, call, request = call }: FailureData): string[] {
	if (!request) return [];
	// Also if a later try failed before it sent anything.
	if (outcome === 'unknown') return [`it is unknown whether ${request.subject} ${request.effect.join(' ')}`];
	if (kind === 'node' || kind === 'stopped') return [];
	const isReadFirst = call && isChange(call) && !isChange(request);
	return [...(isReadFirst ? [notDone(call)] : []), ...(kind === 'request' ? [notDone(request)] : [])];
}

function notDone({ subject, effect: [was, happened] }: Purpose): string {
	return `${subject} ${was} not ${happened}`;
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** Returns what to do about a failure, and what the service said of it; empty if there is nothing to say. */
export function adviceOn({ data }: Failure): string {
	const { kind, outcome, isTransient, ifOften, response, attempts = 1, call } = data;
	const isHarmless = isTransient && mayBeRepeated(outcome, call);
	const mustLookFirst = outcome === 'unknown' && !isHarmless;
	return joined(
		' ',
		data.advice ?? (!mustLookFirst && adviceToWait(data)),
		ifOften,
		mustLookFirst && LOOK_FIRST,
		response?.said && sentence(`the service said: "${response.said}"`, response.said),
		attempts > 1 && `${kind === 'token' ? 'Attempts to get a token' : 'Attempts'}: ${attempts}.`,
	);
}

/** Advises on a failure of the service that nothing else can be done about. */
function adviceToWait({ kind, response }: FailureData): string {
	if (kind === 'node' || kind === 'stopped') return '';
	if (response?.retryAfter === undefined) return 'Try again later.';
	return `${sentence(asksToWaitUntil(Date.now() + response.retryAfter))} Try again after that.`;
}

/** Returns what a status means for a request with an access token, and what to do about it. */
export function messageOfStatus(statusCode: number): string {
	// What only reads has changed nothing.
	const failure = statusFailure({ statusCode, headers: {}, body: {} }).with({ outcome: 'not applied' });
	return `${sentence(messageOf(failure))} ${adviceOn(failure)}`;
}

/** Returns a clause as a sentence. `end` is what may end it already, inside quotation marks. */
export function sentence(clause: string, end = clause): string {
	return `${capitalize(clause)}${/[.!?…]$/.test(end) ? '' : '.'}`;
}

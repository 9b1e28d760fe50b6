import { asksToWaitUntil, statusFailure } from '../service/reasons';
import { type Failure, type FailureData, isChange, mayBeRepeated, type Purpose, type Topic } from '../shared/failure';
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

/** What helps besides the advice on a problem. */
const HELP: Readonly<Record<Topic, string>> = {
	certificate: 'To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.',
	firewall:
		'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.',
	'rate limit': 'Run workflows less often, or lower Items per Batch in the options of Profile Page nodes.',
	timeout:
		'If it happens often, raise Timeout (ms) in the options of Profile Page nodes; lists and triggers wait for 15 seconds.',
};

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** Returns what to do about a failure, and what the service said of it; empty if there is nothing to say. */
export function adviceOn({ data }: Failure): string {
	const { outcome, isTransient, topic, response, attempts = 1, call } = data;
	const isHarmless = isTransient && mayBeRepeated(outcome, call);
	const mustLookFirst = outcome === 'unknown' && !isHarmless;
	return joined(
		' ',
		data.advice ?? (!mustLookFirst && adviceToWait(data)),
		topic && HELP[topic],
		mustLookFirst && LOOK_FIRST,
		response?.said && sentence(`the service said: "${response.said}"`, response.said),
		attempts > 1 && `Attempts: ${attempts}.`,
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

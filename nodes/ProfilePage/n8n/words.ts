import { asksToWaitUntil, statusFailure } from '../service/reasons';
import { type Failure, type FailureData, isChange, mayBeRepeated, type Purpose, type Topic } from '../shared/failure';
import { capitalize, joined } from '../shared/values';

/**
 * Returns what happened, such as "The profile info was not read: the service failed (500)"; "It is unknown whether the
 * link "A" was created: the service failed (500)"; "The link "A" was not created: the links were not read: the service
 * failed (500)".
 */
export function messageOf({ data }: Failure): string {
	const { kind, problem } = data;
	if (kind === 'node' || kind === 'stopped') return capitalize(problem);
	const reason = kind === 'token' ? `no access token: ${problem}` : problem;
	return capitalize([...outcomesOf(data), reason].join(': '));
}

/** Returns what became of the request, and of the change that was to follow it, if it read something for that. */
function outcomesOf({ kind, outcome, call, request = call }: FailureData): string[] {
	if (!request) return [];
	const { subject, effect } = request;
	if (outcome === 'unknown') return [`it is unknown whether ${subject} ${effect.join(' ')}`];
	const isReadFirst = call && isChange(call) && !isChange(request);
	return [...(isReadFirst ? [notDone(call)] : []), ...(kind === 'request' ? [notDone(request)] : [])];
}

function notDone({ subject, effect: [was, happened] }: Purpose): string {
	return `${subject} ${was} not ${happened}`;
}

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

/** What helps in the environment of n8n. */
const IN_ENVIRONMENT: Readonly<Partial<Record<Topic, string>>> = {
	certificate: 'To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.',
	firewall:
		'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.',
};

/** What helps in the options of the node. */
const IN_OPTIONS: typeof IN_ENVIRONMENT = {
	'rate limit': 'Run the workflow less often, or set Items per Batch and Batch Interval in the options of the node.',
	timeout: 'If it happens often, raise Timeout (ms) in the options of the node.',
};

/**
 * Returns what to do about a failure, and what the service said of it; empty if there is nothing to say.
 *
 * @param hasOptions whether users can set how requests are sent, in the options of the node
 */
export function adviceOn({ data }: Failure, hasOptions = false): string {
	const { kind, outcome, passes, advice, topic, response, attempts = 1, call, request } = data;
	const mustLookFirst = outcome === 'unknown' && !(mayBeRepeated(outcome, call, request) && passes === 'soon');
	return joined(
		' ',
		advice ?? (!mustLookFirst && adviceToWait(data, hasOptions)),
		topic && (IN_ENVIRONMENT[topic] ?? (hasOptions && kind === 'request' && IN_OPTIONS[topic])),
		mustLookFirst && LOOK_FIRST,
		response?.said && sentence(`the service said: "${response.said}"`, response.said),
		attempts > 1 && `Attempts: ${attempts}.`,
	);
}

/** Returns what a status means for a request with an access token, and what to do about it. */
export function messageOfStatus(statusCode: number): string {
	// What only reads has changed nothing.
	const failure = statusFailure({ statusCode, headers: {}, body: {} }, '').with({ outcome: 'not applied' });
	return `${sentence(messageOf(failure))} ${adviceOn(failure)}`;
}

/** Advises on a failure of the service that nothing else can be done about. */
function adviceToWait({ kind, response, topic, usesRetries }: FailureData, hasOptions: boolean): string {
	if (kind !== 'request' && kind !== 'token') return '';
	if (response?.retryAfter !== undefined) {
		return `${sentence(asksToWaitUntil(Date.now() + response.retryAfter))} Try again after that.`;
	}
	const canRetry = hasOptions && topic === undefined && usesRetries;
	return `Try again later${canRetry ? ', or raise Max Retries in the options of the node' : ''}.`;
}

/** Returns a clause as a sentence. `end` is what may end it already, inside quotation marks. */
export function sentence(clause: string, end = clause): string {
	return `${capitalize(clause)}${/[.!?…]$/.test(end) ? '' : '.'}`;
}

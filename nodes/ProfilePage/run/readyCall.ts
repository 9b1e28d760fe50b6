import type { Credential } from '../n8n/apps/app';
import { type Call, type InvalidItems, isInvalid, type PlannedCall } from '../resources/operation';
import type { NodeOptions } from '../resources/options';
import { type Ended, invalid } from '../service/failure';

/** A call that can be sent, with the credential that its items have in common. */
export interface ReadyCall extends Call {
	readonly credential: Credential;
}

/** Returns a planned call with its credential, or why it cannot be sent. Invalid options make each call invalid. */
export function prepare(planned: PlannedCall, options: Ended<NodeOptions>): ReadyCall | InvalidItems {
	if (options.outcome !== 'done') return { ...planned, failure: options };
	return isInvalid(planned) ? planned : withCredential(planned);
}

/** Returns a call with its credential; invalid items if one of them has none, or they are for different accounts. */
function withCredential(call: Call): ReadyCall | InvalidItems {
	const [{ index: first, credential }] = call.inputs;
	if (credential.outcome !== 'done') return { ...call, failure: credential };
	for (const item of call.inputs) {
		const { index, credential: other } = item;
		if (other.outcome !== 'done') return { ...call, failure: other, itemAtFault: item };
		if (other.result.binding === credential.result.binding) continue;
		const problem = `its expressions give different accounts for items ${first} and ${index}, which are sent in one request`;
		const advice = 'Use expressions that give the same account for all items of a request.';
		return { ...call, failure: invalid('Credential', problem, advice).failure };
	}
	return { ...call, credential: credential.result };
}

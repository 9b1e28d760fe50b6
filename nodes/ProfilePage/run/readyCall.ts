import type { Credential } from '../n8n/apps/app';
import { type Call, type InvalidItem, isInvalid, type PlannedCall } from '../resources/operation';
import type { NodeOptions } from '../resources/options';
import { type Ended, invalid } from '../service/failure';

/** A call that can be sent, with the credential of its items. */
export interface ReadyCall extends Call {
	readonly credential: Credential;
}

/** Returns a planned call with the credential of its items, or why it cannot be sent. Invalid options make each call invalid. */
export function prepare(planned: PlannedCall, options: Ended<NodeOptions>): ReadyCall | InvalidItem {
	if (options.outcome !== 'done') return { ...planned, failure: options };
	if (isInvalid(planned)) return planned;
	const credential = commonCredential(planned);
	return credential.outcome === 'done'
		? { ...planned, credential: credential.result }
		: { ...planned, failure: credential };
}

/** Returns the credential of all items of a call. Fails if they have different apps. */
function commonCredential({ inputs: [first, ...others] }: Call): Ended<Credential> {
	const { credential } = first;
	if (credential.outcome !== 'done') return credential;
	for (const { index, credential: other } of others) {
		if (other.outcome !== 'done') return other;
		if (other.result.binding === credential.result.binding) continue;
		const problem = `its expressions give different accounts for items ${first.index} and ${index}, which are sent in one request`;
		const advice = 'Use expressions that give the same account for all items of a request.';
		return invalid('Credential', problem, advice).failure;
	}
	return credential;
}

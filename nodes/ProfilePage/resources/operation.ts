import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Option } from '../fields/field';
import type { Item } from '../fields/item';
import type { Credential } from '../n8n/apps/app';
import type { Account, Client } from '../service/client';
import { type Ended, type Failure, invalid, type Outcome, settle } from '../service/failure';
import type { Purpose, ServiceRequest } from '../service/request';
import type { Parse } from '../service/response';

/** What an envelope means to an operation, if the response is a success. */
export interface CallResult {
	/** The output, each item paired with the input item it comes from. */
	readonly items: INodeExecutionData[];
	/** What is worth showing above the output. */
	readonly warnings?: readonly string[];
	/** What else is worth knowing, such as which block is on top now. */
	readonly notes?: readonly string[];
}

/** At least one input item. */
type Inputs = readonly [Item, ...Item[]];

/** What is to be done for some input items. */
export interface Call {
	/** The input items it is made of. */
	readonly inputs: Inputs;
	/** Its account is the same for all of them. */
	readonly credential: Credential;
	/** Calls with the same key never overlap and keep the order of the input. */
	readonly key?: string;
	/** What it is for. */
	readonly purpose: Purpose;
	/** Sends its request. Some calls first read something, such as the list of links, to find out what to send. */
	readonly perform: (client: Client) => Promise<Ended<CallResult>>;
	/** Whether the whole call may be performed twice without harm, also when the workflow runs again. `idempotent` is about its request alone. */
	readonly repeatable: boolean;
}

/** Input items that no request can be made of, with what is known of their call. */
export interface InvalidItems extends Partial<Call> {
	readonly inputs: Inputs;
	readonly failure: Failure;
	/** The item at fault, if it is not the first. */
	readonly itemAtFault?: Item;
}

export type PlannedCall = Call | InvalidItems;

export function isCall(planned: PlannedCall): planned is Call {
	return !('failure' in planned);
}

/** Returns the item that an error of a call is reported on. */
export function reportedItem(planned: PlannedCall): Item {
	const [first] = planned.inputs;
	return isCall(planned) ? first : (planned.itemAtFault ?? first);
}

/** A call without what all calls get in the same way. */
export type Plan = Omit<Call, 'inputs' | 'credential'>;

/** Returns a call for each item, as `plan` plans it; invalid items if it throws. */
export function planEach(items: readonly Item[], plan: (item: Item) => Plan): PlannedCall[] {
	return items.map((item) => planTogether([item], () => plan(item)));
}

/** Returns one call for some items; invalid items if `plan` throws, or they have no credential in common. */
export function planTogether(inputs: Inputs, plan: () => Plan): PlannedCall {
	const planned = settle(plan);
	if (planned.outcome !== 'done') return { inputs, failure: planned };
	return { ...planned.result, inputs, ...commonCredential(inputs) };
}

/** Returns the credential of some items, or why it cannot be used for all of them. */
function commonCredential(inputs: Inputs): Pick<Call, 'credential'> | Pick<InvalidItems, 'failure' | 'itemAtFault'> {
	const [{ index: first, credential }] = inputs;
	if (credential.outcome !== 'done') return { failure: credential };
	for (const item of inputs) {
		const { index, credential: other } = item;
		if (other.outcome !== 'done') return { failure: other, itemAtFault: item };
		if (other.result.binding === credential.result.binding) continue;
		const problem = `its expressions give different accounts for items ${first} and ${index}, which are sent in one request`;
		const advice = 'Use expressions that give the same account for all items of a request.';
		return { failure: invalid('Credential', problem, advice).failure };
	}
	return { credential: credential.result };
}

/**
 * Plans to send one request.
 *
 * @param note is told how the request ended, and for which account
 */
export function sending(
	request: ServiceRequest,
	parse: Parse<CallResult>,
	note?: (outcome: Outcome, account: Account) => void,
): Plan {
	const perform = async (client: Client) => {
		const ended = await client.request(request, parse);
		note?.(ended.outcome, client.account);
		return ended;
	};
	return { purpose: request, perform, repeatable: request.idempotent };
}

/** Something the node can do: what the editor shows of it, and the calls it makes. */
export interface Operation {
	/** Its entry in the list of operations. AI models read `action`. */
	readonly shown: INodePropertyOptions & { value: string; action: string };
	/** Its fields. They are shown for this operation only, and followed by the options. */
	readonly fields: ReadonlyArray<Field<unknown>>;
	/** Its options, beside those of every operation. */
	readonly options?: ReadonlyArray<Option<unknown>>;
	/** Reads the fields of all input items, in their order. Sends nothing to the service. */
	readonly plan: (items: readonly Item[]) => PlannedCall[];
}

/** A choice of the field Resource, with its operations. The first one is the default. */
export interface Resource {
	readonly shown: INodePropertyOptions & { value: string };
	readonly operations: readonly [Operation, ...Operation[]];
	/** The value of another operation that is the default. */
	readonly defaultOperation?: string;
}

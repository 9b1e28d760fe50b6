import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Option } from '../fields/field';
import type { Item } from '../fields/item';
import type { Client } from '../service/client';
import { type Ended, type Failure, settle } from '../service/failure';
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

export function isInvalid(planned: object): planned is InvalidItems {
	return 'failure' in planned;
}

/** Returns the item that an error of a call is reported on. */
export function reportedItem(planned: PlannedCall): Item {
	const [first] = planned.inputs;
	return isInvalid(planned) ? (planned.itemAtFault ?? first) : first;
}

/** Returns what `plan` returns for each item; invalid items if it throws. */
export function planEach<T>(items: readonly Item[], plan: (item: Item) => T) {
	return items.map((item) => planTogether([item], () => plan(item)));
}

/** Returns what `plan` returns for the items of one call; invalid items if it throws. */
export function planTogether<T>(inputs: Inputs, plan: () => T): (T & Pick<Call, 'inputs'>) | InvalidItems {
	const planned = settle(plan);
	return planned.outcome === 'done' ? { inputs, ...planned.result } : { inputs, failure: planned };
}

/** Returns the properties of a call that sends one request. */
export function sending(
	request: ServiceRequest,
	parse: Parse<CallResult>,
): Pick<Call, 'purpose' | 'perform' | 'repeatable'> {
	return {
		purpose: request,
		perform: async (client) => await client.request(request, parse),
		repeatable: request.idempotent,
	};
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

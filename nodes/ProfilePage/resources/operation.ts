import type { IDataObject, INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../fields/field';
import type { Item } from '../fields/item';
import type { Client } from '../service/client';
import type { ServiceRequest } from '../service/request';
import type { Purpose } from '../shared/failure';

/** What a call that succeeded returns. */
export interface CallResult {
	/** The output, each item paired with the input item it comes from. */
	readonly items: INodeExecutionData[];
	/** Shown above the output as warnings. */
	readonly warnings?: readonly string[];
	/** Shown above the output as information, such as which block is on top now. */
	readonly notes?: readonly string[];
}

/** What to do for some input items. */
export interface Call {
	readonly purpose: Purpose;
	/** Sends its request. Some calls first read something, such as the list of links, to find out what to send. Throws Failure. */
	readonly perform: (client: Client) => Promise<CallResult>;
	/**
	 * Calls of an account with the same key never overlap, also in other executions. Those of a run follow the order of the
	 * items.
	 */
	readonly key?: string;
}

export type Inputs = readonly [Item, ...Item[]];

/** Plans the calls for input items. */
export interface Planner {
	/** Items for which it returns the same value share a call. Others have one each. If it throws Failure, so does `plan`. */
	readonly groupBy?: (item: Item) => string | undefined;
	/** Reads the fields of the input items of a call. Sends nothing to the service. May throw Failure. */
	readonly plan: (inputs: Inputs) => Call;
}

/** Returns the planner of a try, for all its items. It may read from the service before. */
interface Preparation {
	readonly prepare: (items: Inputs, client: Client) => Planner | Promise<Planner>;
}

/** Something the node can do: what the editor shows of it, and the calls it makes. */
export type Operation = ShownOperation & (Planner | Preparation);

interface ShownOperation {
	/** Its entry in the list of operations. AI models read `action`. */
	readonly shown: INodePropertyOptions & { value: string; action: string };
	readonly fields: ReadonlyArray<Field<unknown>>;
	readonly options?: ReadonlyArray<Field<unknown>>;
	/** Whether all it changes is documented, so that the node can show it without sending it. */
	readonly hasPreview?: boolean;
}

/** A choice of the field Resource, with its operations. The first one is the default. */
export interface Resource {
	readonly shown: INodePropertyOptions & { value: string };
	readonly operations: readonly [Operation, ...Operation[]];
	/** The value of another operation that is the default. */
	readonly defaultOperation?: string;
}

/** Plans to send one request. */
export function sending(request: ServiceRequest, parse: (envelope: IDataObject) => CallResult, key?: string): Call {
	const perform: Call['perform'] = async (client) => await client.request(request, parse);
	return { purpose: request, perform, key };
}

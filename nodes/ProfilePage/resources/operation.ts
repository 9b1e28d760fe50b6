import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../fields/field';
import type { Item } from '../fields/item';
import type { ServiceRequest } from '../service/request';
import type { Purpose } from '../shared/failure';
import type { Session } from './session';

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
	/** Whether it first looks for what was done already, so that another run does not do it again. */
	readonly looksFirst?: boolean;
	/** Sends its request. Some calls first read something, such as the list of links, to find out what to send. Throws Failure. */
	readonly perform: (session: Session) => Promise<CallResult>;
	/**
	 * Calls of an account with the same key never overlap, also in other executions. Those of a run follow the order of the
	 * items.
	 */
	readonly key?: string;
}

export type Inputs = readonly [Item, ...Item[]];

/** Plans the calls for input items. */
export interface Planner {
	/** Items for which it returns the same value share a call. Others have one each. Throws Failure. */
	readonly groupBy?: (item: Item, session: Session) => string | undefined | Promise<string | undefined>;
	/** Reads the fields of the input items of a call. Sends no change. Throws Failure if one is invalid. */
	readonly plan: (inputs: Inputs, session: Session) => Call | Promise<Call>;
}

/** Something the node can do: what the editor shows of it, and the calls it plans. */
export interface Operation extends Planner {
	/** Its entry in the list of operations. AI models read `action`. */
	readonly shown: INodePropertyOptions & { value: string; action: string };
	readonly fields: ReadonlyArray<Field<unknown>>;
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

/** Plans to send one request. `toResult` makes the output of what it reads. */
export function sending<T>(request: ServiceRequest<T>, toResult: (value: T) => CallResult, key?: string): Call {
	const perform: Call['perform'] = async ({ client }) => toResult(await client.request(request));
	return { purpose: request, perform, key };
}

import type { INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Option } from '../fields/field';
import type { InvalidItem, Item } from '../fields/item';
import type { Client } from '../service/client';
import type { Ended, Read, ServiceRequest } from '../service/types';

/** What a success envelope means to an operation. */
export interface CallResult {
	/** The output, each item paired with the input item it comes from. */
	readonly items: INodeExecutionData[];
	/** What is worth showing above the output. */
	readonly warnings?: readonly string[];
	/** The same, if nothing is wrong. */
	readonly info?: readonly string[];
}

/** What is to be done for some input items. */
export interface Call {
	/** The input items it is made of. Errors are reported on the first. */
	readonly itemIndexes: readonly [number, ...number[]];
	/** Calls with the same key never overlap and keep the order of the input. */
	readonly key?: string;
	/** The request that it is about. */
	readonly request: ServiceRequest;
	/**
	 * Sends the request, or looks at the service first, where it depends on that what to send.
	 *
	 * @param earlier what it sent in an earlier try, if that may have been applied
	 */
	readonly send: (client: Client, earlier?: ServiceRequest) => Promise<Ended<CallResult>>;
	/** Whether running the workflow again does no harm; by default, if the request is idempotent. */
	readonly isRepeatable?: boolean;
}

export type PlannedCall = Call | InvalidItem;

/** Returns the properties of a call that sends one request. */
export function sending(request: ServiceRequest, read: Read<CallResult>): Pick<Call, 'request' | 'send'> {
	return { request, send: async (client) => await client.send(request, read) };
}

/** Something the node can do: what the editor shows of it, and the calls it makes. */
export interface Operation {
	/** Its entry in the list of operations. AI models read `action`. */
	readonly option: INodePropertyOptions & { value: string; action: string };
	/** Its fields. They are shown for this operation only, and followed by the options. */
	readonly fields: ReadonlyArray<Field<unknown>>;
	/** Its options, beside those of every operation. */
	readonly options?: ReadonlyArray<Option<unknown>>;
	/** Reads the fields of all input items, in their order. Sends nothing to the service. */
	readonly plan: (items: readonly Item[]) => PlannedCall[] | Promise<PlannedCall[]>;
}

/** A choice of the field Resource, with its operations. The first one is the default. */
export interface Resource {
	readonly option: INodePropertyOptions & { value: string };
	readonly operations: readonly [Operation, ...Operation[]];
	/** The value of another operation that is the default. */
	readonly defaultOperation?: string;
}

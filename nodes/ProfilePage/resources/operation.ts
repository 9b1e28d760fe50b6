import type { INodeExecutionData, INodeListSearchItems, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { InvalidItem, Item } from '../item/item';
import type { ServiceClient } from '../service/client';
import type { Read, ServiceRequest } from '../service/request';
import type { History } from '../shared/errors';

/** What a success envelope means to an operation. */
export interface CallResult {
	/** The output, each item paired with the input item it comes from. */
	readonly items: INodeExecutionData[];
	/** What is worth showing above the output. */
	readonly warnings?: readonly string[];
	/** The same, if nothing is wrong. */
	readonly info?: readonly string[];
	/** Whether the response itself shows the change, such as the ID of a new link. It counts only if `status` does not decide. */
	readonly isConfirmed?: boolean;
}

/** A request that is ready to be sent, and the reading of its response. */
export interface Call {
	/** The input items it is made of. Errors are reported on the first. */
	readonly itemIndexes: readonly [number, ...number[]];
	readonly request: ServiceRequest;
	/** Calls with the same key never overlap and keep the order of the input. */
	readonly concurrencyKey?: string;
	/**
	 * Reads the envelope of any 2xx response, tolerantly. The result counts only if that is a success. It may throw a
	 * ServiceError.
	 */
	readonly read: Read<CallResult>;
	/**
	 * Sends other requests than `request` alone, where that depends on what the service has.
	 *
	 * @param history what has become of the call in earlier tries of the node
	 */
	readonly perform?: (client: ServiceClient, history?: History) => Promise<CallResult>;
	/** Whether running the workflow again does no harm; by default, if the request is idempotent. */
	readonly isRepeatable?: boolean;
}

export type PlannedCall = Call | InvalidItem;

/** Something the node can do: what the editor shows of it, and the calls it makes. */
export interface Operation {
	/** Its entry in the list of operations. AI models read `action`. */
	readonly option: INodePropertyOptions & { value: string; action: string };
	/** Its fields. They are shown for this operation only, and followed by the options. */
	readonly fields: readonly INodeProperties[];
	/** Its options, beside those of every operation. */
	readonly options?: readonly INodeProperties[];
	/** Reads the fields of all input items, in their order. Sends nothing to the service. */
	readonly plan: (items: readonly Item[]) => PlannedCall[] | Promise<PlannedCall[]>;
}

/** A list that the editor loads from the service. */
export interface ChoiceList {
	readonly request: ServiceRequest;
	/** Reads a success envelope. It may throw a ServiceError about it. */
	readonly read: Read<INodeListSearchItems[]>;
}

/** A choice of the field Resource, with its operations. The first one is the default. */
export interface Resource {
	readonly option: INodePropertyOptions & { value: string };
	readonly operations: readonly [Operation, ...Operation[]];
}

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeListSearchItems,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Problem } from './shared/errors';
import type { ServiceRequest } from './transport/serviceRequest';

/** What a success envelope means to an operation. */
export interface CallResult {
	/** The output, each item paired with the input item it comes from. */
	readonly items: INodeExecutionData[];
	/** What is worth showing above the output. */
	readonly warnings?: readonly string[];
	/** Whether the response shows that a change was made, even if it does not say so. */
	readonly isConfirmed?: boolean;
}

/** The service, as a call sees it: for one account, with retries. */
export interface Service {
	/** What tells accounts apart. */
	readonly account: string;
	/** Returns what `read` returns. Throws ServiceError if the response is not a success, or ExecutionCanceled. */
	readonly send: <T extends object>(
		request: ServiceRequest,
		read: (envelope: IDataObject) => T | Problem,
	) => Promise<T>;
}

/** A request that is ready to be sent, and the reading of its response. */
export interface Call {
	/** The input items it is made of. Errors are reported on the first. */
	readonly itemIndexes: readonly [number, ...number[]];
	readonly request: ServiceRequest;
	/** Calls with the same key never overlap and keep the order of the input. */
	readonly concurrencyKey?: string;
	/** Reads a success envelope, tolerantly. Must not throw. */
	readonly read: (envelope: IDataObject) => CallResult | Problem;
	/** Sends other requests than `request` alone, where that depends on what the service has. */
	readonly perform?: (service: Service) => Promise<CallResult>;
	/** Whether running the workflow again does no harm; by default, if the request is idempotent. */
	readonly isRepeatable?: boolean;
}

/** Input items that no request can be made of. */
export interface InvalidItem {
	readonly itemIndexes: Call['itemIndexes'];
	readonly error: unknown;
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
	/** Reads the fields for all input items, in their order. Sends nothing. */
	readonly plan: (context: IExecuteFunctions) => PlannedCall[];
}

/** A list that the editor loads from the service. */
export interface ChoiceList {
	readonly request: ServiceRequest;
	readonly read: (envelope: IDataObject) => INodeListSearchItems[] | Problem;
}

/** A choice of the field Resource, with its operations. The first one is the default. */
export interface Resource {
	readonly option: INodePropertyOptions & { value: string };
	readonly operations: readonly [Operation, ...Operation[]];
}

export function planEachItem(
	context: IExecuteFunctions,
	planItem: (itemIndex: number) => Omit<Call, 'itemIndexes'>,
): PlannedCall[] {
	const plan = (itemIndex: number): Call => ({ itemIndexes: [itemIndex], ...planItem(itemIndex) });
	return context.getInputData().map((_, index) => orInvalid(index, () => plan(index)));
}

/** Returns what `read` returns, or an invalid item if it throws. */
export function orInvalid<T>(itemIndex: number, read: () => T): T | InvalidItem {
	try {
		return read();
	} catch (error) {
		return { itemIndexes: [itemIndex], error };
	}
}

export function isInvalid(planned: object): planned is InvalidItem {
	return 'error' in planned;
}

/** Returns an output item for each object, paired with the input item. */
export function pairWith(itemIndex: number, objects: readonly IDataObject[]): INodeExecutionData[] {
	return objects.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeListSearchItems,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceRequest } from './transport/serviceRequest';

/** A request that is ready to be sent, and what becomes of its answer. */
export interface Call {
	/** The input items that it is made of. A failure is laid to the first. */
	readonly itemIndexes: readonly [number, ...number[]];
	readonly request: ServiceRequest;
	/** What it changes. Calls that change the same go one after another, in the order of the input. */
	readonly target?: string;
	/** Makes the output of a success envelope, each item paired with the input it comes from. */
	readonly toItems: (envelope: IDataObject) => INodeExecutionData[];
	/** Says what is odd about a success envelope, for whoever looks at the output. */
	readonly findWarning?: (envelope: IDataObject) => string | undefined;
}

/** A request that can't be made, because of what an item or its fields hold. */
export interface Refusal {
	readonly itemIndex: number;
	readonly error: Error;
}

/** A thing that the node can do: what the editor shows of it, and the calls that it makes. */
export interface Operation {
	/** How it stands in the list of operations; `action` is what an AI model reads. */
	readonly option: INodePropertyOptions & { value: string; action: string };
	/** Its fields, which the editor shows for this operation only; the options follow by themselves. */
	readonly fields: readonly INodeProperties[];
	/** Reads the fields of all input items, and sends nothing. In the order of the input. */
	readonly plan: (context: IExecuteFunctions) => Array<Call | Refusal>;
}

/** A list that the editor loads from the service, for users to choose from. */
export interface ChoiceList {
	readonly request: ServiceRequest;
	/** Makes the entries of a success envelope. */
	readonly toChoices: (envelope: IDataObject) => INodeListSearchItems[];
}

/** A kind of thing that the service keeps, with what can be done to it. */
export interface Resource {
	readonly option: INodePropertyOptions & { value: string };
	/** The first one is what the editor starts with. */
	readonly operations: readonly [Operation, ...Operation[]];
	/** By the names under which fields refer to them, as `searchListMethod` or `loadOptionsMethod`. */
	readonly lists?: Readonly<Record<string, ChoiceList>>;
}

/** Plans one call for each input item. */
export function planEachItem(
	context: IExecuteFunctions,
	planItem: (itemIndex: number) => Omit<Call, 'itemIndexes'>,
): Array<Call | Refusal> {
	return context
		.getInputData()
		.map((_, itemIndex) =>
			orRefuse(itemIndex, () => ({ itemIndexes: [itemIndex], ...planItem(itemIndex) })),
		);
}

/** @returns an output item for each object, paired with the input item */
export function pairWith(itemIndex: number, objects: readonly IDataObject[]): INodeExecutionData[] {
	return objects.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

/** @returns what was read; or the refusal, if a field or an expression of the item can't be used */
export function orRefuse<T>(itemIndex: number, read: () => T): T | Refusal {
	try {
		return read();
	} catch (error) {
		return { itemIndex, error: error as Error };
	}
}

export function isRefusal(value: object): value is Refusal {
	return 'error' in value;
}

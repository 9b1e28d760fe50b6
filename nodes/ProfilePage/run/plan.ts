import type { Item } from '../fields/item';
import type { Call, Inputs, Operation } from '../resources/operation';
import { Failure, toFailure } from '../service/failure';
import { asText } from '../shared/values';

/** Some input items, by their indexes, and what to do for them, or why that is not possible. */
export interface Planned {
	readonly indexes: readonly number[];
	readonly call: Call | Failure;
	/** Reads what the user calls the first item, such as its title; an empty text if that is not known. */
	readonly readName?: () => string;
}

export type PlannedCall = Planned & { readonly call: Call };

export function isCall(planned: Planned): planned is PlannedCall {
	return !(planned.call instanceof Failure);
}

/** Plans the calls of an operation, in the order of their first items. */
export function planItems(items: readonly Item[], operation: Operation): Planned[] {
	const groups = new Map<unknown, { inputs: [Item, ...Item[]]; failure?: Failure }>();
	for (const item of items) {
		const { key = item, failure } = groupOf(item, operation);
		const group = groups.get(key);
		if (group) group.inputs.push(item);
		else groups.set(key, { inputs: [item], failure });
	}
	return [...groups.values()].map(({ inputs, failure }) => ({
		indexes: inputs.map(({ index }) => index),
		call: failure ?? planCall(inputs, operation),
		readName: () => nameOf(inputs[0], operation),
	}));
}

function nameOf(item: Item, { nameField }: Operation): string {
	try {
		return asText(nameField?.read(item));
	} catch {
		// The field that names the item may be the invalid one.
		return '';
	}
}

function groupOf(item: Item, { groupBy }: Operation): { key?: string; failure?: Failure } {
	try {
		return { key: groupBy?.(item) };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

function planCall(inputs: Inputs, operation: Operation): Call | Failure {
	try {
		return operation.plan(inputs);
	} catch (error) {
		return toFailure(error);
	}
}

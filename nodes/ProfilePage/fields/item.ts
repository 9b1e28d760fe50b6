import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Credential } from '../n8n/app';
import { isTool } from '../n8n/context';
import { toFailure } from '../shared/failure';
import { getOrCreate } from '../shared/values';
import { Entered } from './entered';
import { pathReader, readerOf } from './expression';

/** The field Options, with all options of an operation. They apply to all items. */
export const optionsShown: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
};

interface Parameter {
	/** What was entered for all items, with expressions as text. */
	readonly raw: unknown;
	readonly evaluate: (item: Item) => unknown;
}

/** An input item, with the parameters of the node for it. */
export class Item {
	readonly #parameters: Map<string, Parameter>;

	/** @param parameters by their names; shared by the items */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly json: IDataObject,
		readonly credential: Credential,
		parameters: Map<string, Parameter>,
	) {
		this.#parameters = parameters;
	}

	/** Returns what was entered in a field. Throws what n8n throws for an invalid expression. */
	entered(shown: INodeProperties): Entered {
		const { raw, evaluate } = this.#parameter(shown);
		return new Entered(this, shown, raw, evaluate(this));
	}

	/** Returns what was entered in a field, with expressions as text. */
	raw(shown: INodeProperties): unknown {
		return this.#parameter(shown).raw;
	}

	/** Returns the value of an expression inside a text. Throws what n8n throws for an invalid one. */
	evaluate(expression: string): unknown {
		const read = isTool(this.context) ? undefined : pathReader(`=${expression}`);
		return read?.(this.json) ?? this.context.evaluateExpression(expression, this.index);
	}

	output(objects: readonly IDataObject[]) {
		return objects.map((json) => ({ json, pairedItem: { item: this.index } }));
	}

	#parameter(shown: INodeProperties): Parameter {
		return getOrCreate(this.#parameters, shown.name, () => {
			const raw = this.context.getNodeParameter(shown.name, 0, shown.default, { rawExpressions: true });
			return { raw, evaluate: evaluator(this.context, shown, raw) };
		});
	}
}

/**
 * Returns how to evaluate a parameter for an item. n8n blocks the process for about a millisecond for each expression it
 * evaluates, so it is asked only if the value is neither the same for all items nor made of plain paths into the item.
 */
function evaluator(context: IExecuteFunctions, shown: INodeProperties, raw: unknown): Parameter['evaluate'] {
	const askN8n = (index: number): unknown => context.getNodeParameter(shown.name, index, shown.default);
	// Lists and objects may contain expressions.
	if (shown.name === optionsShown.name || !JSON.stringify([raw]).includes('{{')) {
		const value = askN8n(0);
		return () => value;
	}
	const read = isTool(context) ? undefined : readerOf(raw);
	return ({ json, index }) => read?.(json) ?? askN8n(index);
}

/** Returns the input items of a node. */
export function itemsOf(context: IExecuteFunctions, credential: Credential): Item[] {
	const parameters = new Map<string, Parameter>();
	return context.getInputData().map(({ json }, index) => new Item(context, index, json, credential, parameters));
}

/** Does some work for one of several items. A failure then says which one it is. */
export function forItem<T>({ index }: Item, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw toFailure(error).with({ itemIndex: index });
	}
}

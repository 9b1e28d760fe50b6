import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Credential } from '../n8n/app';
import { isTool } from '../n8n/context';
import { type ListPaths, pathsOf } from '../n8n/credential';
import { atItem } from '../shared/failure';
import { Entered } from './entered';
import { followPath, parsePathExpression } from './expression';

/** The field Options, with all options of an operation. They apply to all items. */
export const optionsShown: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
};

/** A parameter of the node, as n8n stores it for all items. */
interface Parameter {
	/** With expressions as text. */
	readonly raw: unknown;
	/** Whether all items have the same value. */
	readonly isFixed: boolean;
	readonly value?: unknown;
	/** The names of a path into the item, if it is nothing else. */
	readonly path?: readonly string[];
}

/** An input item, with the parameters of the node for it. */
export class Item {
	readonly paths: ListPaths;
	readonly #parameters: Map<string, Parameter>;

	/** @param parameters by their names; shared by the items */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly json: IDataObject,
		credential: Credential,
		parameters: Map<string, Parameter>,
	) {
		this.paths = pathsOf(credential);
		this.#parameters = parameters;
	}

	/** Returns what was entered in a field. Throws what n8n throws for an invalid expression. */
	entered(shown: INodeProperties): Entered {
		const parameter = this.#parameter(shown);
		return new Entered(this, shown, parameter.raw, this.#valueOf(parameter, shown));
	}

	/** Returns what was entered in a field, with expressions as text. */
	raw(shown: INodeProperties): unknown {
		return this.#parameter(shown).raw;
	}

	output(objects: readonly IDataObject[]) {
		return objects.map((json) => ({ json, pairedItem: { item: this.index } }));
	}

	/**
	 * n8n blocks the process for about a millisecond for each expression it evaluates, so it is asked only if the value is
	 * neither the same for all items nor a plain path.
	 */
	#valueOf({ isFixed, value, path }: Parameter, shown: INodeProperties): unknown {
		if (isFixed) return value;
		const found = path && followPath(this.json, path);
		// Missing values, and instances of classes, such as dates, are left to n8n.
		const isData = typeof found !== 'object' || Array.isArray(found) || found?.constructor === Object;
		return found !== undefined && isData ? found : this.context.getNodeParameter(shown.name, this.index, shown.default);
	}

	#parameter({ name, default: fallback }: INodeProperties): Parameter {
		const known = this.#parameters.get(name);
		if (known) return known;
		const raw = this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
		// Lists and objects may contain expressions.
		const isFixed = name === optionsShown.name || !JSON.stringify([raw]).includes('{{');
		const parameter = {
			raw,
			isFixed,
			value: isFixed ? this.context.getNodeParameter(name, 0, fallback) : undefined,
			path: isTool(this.context) ? undefined : parsePathExpression(raw),
		};
		this.#parameters.set(name, parameter);
		return parameter;
	}
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
		throw atItem(error, index);
	}
}

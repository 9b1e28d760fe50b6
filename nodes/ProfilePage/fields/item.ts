import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	isExpression,
	isSafeObjectProperty,
} from 'n8n-workflow';

import { isTool } from '../n8n/context';
import { toFailure } from '../shared/failure';
import { getOrCreate, isObject } from '../shared/values';
import type { Entered } from './entered';

/** An input item, with the parameters of the node for it. */
export class Item {
	readonly #raw: Map<string, unknown>;

	/** @param raw what was entered in each parameter, which the items share */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly json: IDataObject,
		raw = new Map<string, unknown>(),
	) {
		this.#raw = raw;
	}

	/**
	 * Returns what was entered in a field. Throws what n8n throws for an invalid expression.
	 *
	 * @param path where n8n stores it, such as "options.timeout" for a field inside another one
	 */
	entered({ type, default: byDefault }: INodeProperties, path: string): Entered {
		// Of a resource locator, only the value was entered. A workflow written by hand may contain it alone.
		const isLocator = type === 'resourceLocator' && isObject(this.raw(path, byDefault));
		const [name, fallback] = isLocator ? [`${path}.value`, ''] : [path, byDefault];
		const raw = this.raw(name, fallback);
		// n8n takes long to look up a parameter, so it is not asked for what is as it was entered.
		if (typeof raw !== 'object' && !isExpression(raw)) return { raw, value: raw };
		// What `$json` is for a tool of an AI agent, only n8n knows.
		const value = isTool(this.context) ? undefined : followPath(raw, this.json);
		return { raw, value: value ?? this.context.getNodeParameter(name, this.index, fallback) };
	}

	/** Returns what was entered in a parameter, with expressions as text. */
	raw(name: string, fallback: unknown = ''): unknown {
		return getOrCreate(this.#raw, name, () => {
			return this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
		});
	}

	output(objects: readonly IDataObject[]) {
		return objects.map((json) => ({ json, pairedItem: { item: this.index } }));
	}
}

/** An expression that is only a path into the item, such as `={{ $json.page.id }}`. */
const PATH_EXPRESSION = /^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*)+)\s*\}\}$/;

/**
 * Returns the value of a path expression, for which n8n needs about 0.6 ms. Everything but a text, number, boolean, or list is
 * left to n8n, and so are names that it rejects, such as "constructor".
 */
function followPath(raw: unknown, json: IDataObject): unknown {
	const names = typeof raw === 'string' ? PATH_EXPRESSION.exec(raw)?.[1]?.slice(1).split('.') : undefined;
	if (!names?.every(isSafeObjectProperty)) return undefined;
	let value: unknown = json;
	for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	return typeof value === 'object' && !Array.isArray(value) ? undefined : value;
}

/** Returns the input items of a node. */
export function itemsOf(context: IExecuteFunctions): Item[] {
	const raw = new Map<string, unknown>();
	return context.getInputData().map(({ json }, index) => new Item(context, index, json, raw));
}

/** Does some work for one of several items. A failure then says which one it is. */
export function forItem<T>({ index }: Item, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw toFailure(error).with({ itemIndex: index });
	}
}

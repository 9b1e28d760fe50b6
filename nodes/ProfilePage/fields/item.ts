import { type IDataObject, type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import type { Credential } from '../n8n/app';
import { isTool } from '../n8n/context';
import { type ListPaths, pathsOf } from '../n8n/credential';
import { atItem, type Failure, invalid } from '../shared/failure';
import { quotable } from '../shared/values';
import { findInserted, followPath, type Inserted, isUnfinished, noValue, parsePathExpression } from './expression';

/** The field with all options, which apply to all items. */
export const OPTIONS: INodeProperties = { displayName: 'Options', name: 'options', type: 'collection', default: {} };

interface Entered {
	/** With expressions as text. */
	readonly raw: unknown;
	/** Not of a collection, whose fields are checked one by one. */
	readonly isUnfinished: boolean;
	/** Whether all items have the same value. */
	readonly isFixed: boolean;
	readonly value?: unknown;
	/** The names of a path into the item, if it is nothing else. */
	readonly path?: readonly string[];
}

const INSERTED = /\[object |Invalid Date/;

/** An input item, with the parameters of the node for it. Its methods throw Failure if a value is invalid. */
export class Item {
	readonly paths: ListPaths;
	readonly #fields: Map<string, Entered>;

	/** @param fields what was entered, by the name of the field; shared by the items */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly json: IDataObject,
		credential: Credential,
		fields: Map<string, Entered>,
	) {
		this.paths = pathsOf(credential);
		this.#fields = fields;
	}

	/**
	 * Returns the value of a field. Throws what n8n throws for an invalid expression.
	 *
	 * n8n blocks the process for about a millisecond for each expression it evaluates, so it is asked only if the value is
	 * neither the same for all items nor a plain path.
	 */
	value(shown: INodeProperties): unknown {
		const entered = this.#entered(shown);
		if (entered.isUnfinished) throw unfinished(shown);
		if (entered.isFixed) return entered.value;
		const found = entered.path && followPath(this.json, entered.path);
		// Missing values, and instances of classes, such as dates, are left to n8n.
		const isData = typeof found !== 'object' || Array.isArray(found) || found?.constructor === Object;
		if (found !== undefined && isData) return found;
		const value = this.context.getNodeParameter(shown.name, this.index, shown.default);
		this.checkInserted(value, shown, entered.raw);
		return value;
	}

	/** Throws Failure if an expression inside a text has returned what n8n then inserts by name: an object, or an invalid date. */
	checkInserted(value: unknown, shown: INodeProperties, raw: unknown): void {
		if (typeof value !== 'string' || !INSERTED.test(value)) return;
		// The same words may come from data.
		const isUnusable = ({ value: part }: Inserted) => INSERTED.test(String(part)) && typeof part === 'object';
		const found = this.inserted(shown, raw).find(isUnusable);
		if (!found) return;
		const problem = `the expression ${quotable(found.expression)} returns something that a text cannot contain`;
		throw invalid(shown.displayName, problem, 'Check the expression.');
	}

	/**
	 * Returns an option of the node, or its default: n8n stores only options that were added. They apply to all items.
	 *
	 * @param path the names that lead to it among the options
	 */
	option(shown: INodeProperties, path: readonly string[] = [shown.name]): unknown {
		const { raw, value } = this.#entered(OPTIONS);
		const rawValue = followPath(raw, path);
		if (isUnfinished(rawValue)) throw unfinished(shown);
		const found = followPath(value, path) ?? undefined;
		if (found === undefined && isExpression(rawValue)) throw noValue(shown.displayName);
		return found ?? shown.default;
	}

	/** Returns the expressions inside a text, with their values for this item. */
	inserted(shown: INodeProperties, raw = this.raw(shown)): Inserted[] {
		return findInserted(raw, (expression) => this.context.evaluateExpression(expression, this.index));
	}

	output(objects: readonly IDataObject[]) {
		return objects.map((json) => ({ json, pairedItem: { item: this.index } }));
	}

	/** Returns what was entered in a field, with expressions as text. */
	raw(shown: INodeProperties): unknown {
		return this.#entered(shown).raw;
	}

	#entered({ name, type, default: fallback }: INodeProperties): Entered {
		const known = this.#fields.get(name);
		if (known) return known;
		const raw = this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
		const isFixed = name === OPTIONS.name || !contains(raw, isExpression);
		const entered = {
			raw,
			isFixed,
			isUnfinished: type !== 'collection' && contains(raw, isUnfinished),
			value: isFixed ? this.context.getNodeParameter(name, 0, fallback) : undefined,
			path: isTool(this.context) ? undefined : parsePathExpression(raw),
		};
		this.#fields.set(name, entered);
		return entered;
	}
}

/** Returns the input items of a node. */
export function itemsOf(context: IExecuteFunctions, credential: Credential): Item[] {
	const fields = new Map<string, Entered>();
	return context.getInputData().map(({ json }, index) => new Item(context, index, json, credential, fields));
}

/** Does some work for one of several items. A failure then says which one it is. */
export function forItem<T>({ index }: Item, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw atItem(error, index);
	}
}

function unfinished({ displayName }: INodeProperties): Failure {
	const advice = 'Switch the field to Expression. An expression ends with "}}".';
	return invalid(displayName, 'the text contains "{{", but is not an expression', advice);
}

/** Throws Failure if a part of what was entered was meant as an expression, but is not one. */
export function checkFinished(raw: unknown, shown: INodeProperties): void {
	if (contains(raw, isUnfinished)) throw unfinished(shown);
}

function contains(raw: unknown, test: (text: unknown) => boolean): boolean {
	if (typeof raw !== 'object' || raw === null) return test(raw);
	return Object.values(raw).some((part) => contains(part, test));
}

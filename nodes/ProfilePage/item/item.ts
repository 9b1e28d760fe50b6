import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	isExpression,
} from 'n8n-workflow';

import { ValidationError } from '../shared/errors';
import { asObject, isBlank, isObject, isTool } from '../shared/values';
import {
	adviseOnNoValue,
	CHECK_NAMES,
	findExpressions,
	followPath,
	isTemplate,
	isUnfinished,
	parsePathExpression,
} from './expression';
import { type IntegerField, readBoolean, readChoice, readInteger, readText, shorten } from './readers';

/** What names a parameter of the node. */
type Field = Pick<INodeProperties, 'displayName' | 'name' | 'default'>;

/** A field in which users add the optional fields they want to set. */
export interface Collection extends INodeProperties {
	type: 'collection';
	options: INodeProperties[];
}

/** The options that every operation has, with those of one. */
const OPTIONS = { name: 'options', default: {} };

/** What was entered in a field: the same for all items. */
interface Entered {
	/** With expressions as text. */
	readonly raw: unknown;
	readonly isUnfinished: boolean;
	/** Whether all items have the same value. */
	readonly isFixed: boolean;
	readonly value?: unknown;
	/** The names of a path into the item, if it is nothing else. */
	readonly path?: readonly string[];
}

/** An input item, with the parameters of the node for it. Its methods throw ValidationError if a value is invalid. */
export class Item {
	readonly #fields: Map<string, Entered>;

	/** @param fields what was entered, by the name of the field; shared by the items */
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		readonly json: IDataObject,
		fields = new Map<string, Entered>(),
	) {
		this.#fields = fields;
	}

	/** Returns the value of a field. Throws what n8n throws for an invalid expression. */
	value(field: Field): unknown {
		if (this.entered(field).isUnfinished) throw unfinished(field);
		return this.#evaluate(field);
	}

	/** Returns a text, trimmed and never empty. */
	text(field: Field, advice: string): string {
		return readText(this.value(field), field.displayName, advice);
	}

	integer(field: IntegerField): number {
		return readInteger(this.value(field), field);
	}

	boolean(field: Field): boolean {
		return readBoolean(this.value(field), field.displayName);
	}

	/** Returns the choice whose name is the value. */
	choice<T>(field: Field, choices: Readonly<Record<string, T>>): T {
		return readChoice(this.value(field), field.displayName, choices);
	}

	/** Returns the value of a resource locator. A workflow written by hand may contain the value alone. */
	located(field: Field): unknown {
		const isLocator = typeof this.entered(field).raw === 'object';
		return this.value(isLocator ? { ...field, name: `${field.name}.value`, default: '' } : field);
	}

	/**
	 * Returns the fields of a collection that are set, by name. A field is not set if it is empty on purpose: left empty, a
	 * literal `null`, or a single expression that returns an empty string.
	 *
	 * @param mayBeMissing fields that are not set either if their expression returns `null` or `undefined`, which usually
	 *   mean a misspelt property
	 */
	collection(collection: Collection, mayBeMissing: readonly INodeProperties[] = []): CollectionValues {
		const values = this.#evaluate(collection);
		if (!isObject(values)) {
			const problem = 'the expression does not return an object';
			const advice = 'Add the fields one by one, or return an object with the names and values of the fields.';
			throw new ValidationError(collection.displayName, problem, advice);
		}
		const { raw } = this.entered(collection);
		const set = new CollectionValues();
		for (const field of collection.options.filter(({ name }) => Object.hasOwn(values, name))) {
			const value = values[field.name];
			// The whole collection may be an expression.
			const entered = isObject(raw) ? raw[field.name] : raw;
			if (contains(entered, isUnfinished)) throw unfinished(field);
			const isUnexpected = typeof value !== 'string' && !mayBeMissing.includes(field);
			if (!isBlank(value)) set.set(field.name, value);
			else if (isTemplate(entered) || (isExpression(entered) && isUnexpected)) {
				const advice = adviseOnNoValue('leave the field empty');
				throw new ValidationError(field.displayName, 'the expression returns no value', advice);
			}
		}
		return set;
	}

	/** Returns an option of the node, which applies to all items. n8n stores only those that were added. */
	option(name: string): unknown {
		return asObject(this.entered(OPTIONS).value)[name];
	}

	/** Whether an option is on. */
	isOn({ name, displayName, default: fallback }: Field): boolean {
		const value = this.option(name) ?? fallback;
		return typeof value === 'boolean' ? value : readBoolean(value, displayName);
	}

	/**
	 * Checks the expressions within the text of a field: n8n would leave out those that return nothing.
	 *
	 * @param isMissing whether a value counts as nothing
	 */
	checkTemplate(field: Field, isMissing: (value: unknown) => boolean): void {
		for (const expression of findExpressions(this.entered(field).raw)) {
			if (!isMissing(this.context.evaluateExpression(expression, this.index))) continue;
			const problem = `the expression ${shorten(expression)} returns no value`;
			throw new ValidationError(field.displayName, problem, CHECK_NAMES);
		}
	}

	/** Returns an output item for each object, paired with this one. */
	output(objects: readonly IDataObject[]): INodeExecutionData[] {
		return objects.map((json) => ({ json, pairedItem: { item: this.index } }));
	}

	/** Returns what was entered in a field. */
	entered(field: Pick<Field, 'name' | 'default'>): Entered {
		const { name, default: fallback } = field;
		const known = this.#fields.get(name);
		if (known) return known;
		const raw = this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
		const isFixed = field === OPTIONS || !contains(raw, isExpression);
		const entered = {
			raw,
			isFixed,
			isUnfinished: contains(raw, isUnfinished),
			value: isFixed ? this.context.getNodeParameter(name, 0, fallback) : undefined,
			path: isTool(this.context) ? undefined : parsePathExpression(raw),
		};
		this.#fields.set(name, entered);
		return entered;
	}

	/**
	 * n8n blocks the process for about a millisecond for each expression it evaluates, so it is asked only if the value is
	 * neither the same for all items nor a plain path.
	 */
	#evaluate(field: Pick<Field, 'name' | 'default'>): unknown {
		const { isFixed, value, path } = this.entered(field);
		if (isFixed) return value;
		const found = path && followPath(this.json, path);
		// Missing values, and objects that are more than data, are left to n8n.
		const isData = typeof found !== 'object' || Array.isArray(found) || isPlain(found);
		if (found !== undefined && isData) return found;
		return this.context.getNodeParameter(field.name, this.index, field.default);
	}
}

function isPlain(value: object | null): boolean {
	return value?.constructor === Object;
}

/** Returns the input items of a node. */
export function readItems(context: IExecuteFunctions): Item[] {
	const fields = new Map<string, Entered>();
	const items: Item[] = [];
	for (const { json } of context.getInputData()) {
		items.push(new Item(context, items.length, json, fields));
	}
	return items;
}

/** The fields of a collection that are set for an item, by name. */
export class CollectionValues extends Map<string, unknown> {
	/** Returns what `read` returns for a field; undefined if the field is not set. */
	read({ name, displayName }: INodeProperties, read: (value: unknown, field: string) => string): string | undefined {
		return this.has(name) ? read(this.get(name), displayName) : undefined;
	}
}

/** Input items that no request can be made of. */
export interface InvalidItem {
	readonly itemIndexes: readonly [number, ...number[]];
	readonly error: unknown;
}

/** Returns what `plan` returns for each item; an invalid item if it throws. */
export function planEach<T>(
	items: readonly Item[],
	plan: (item: Item) => T,
): Array<(T & Pick<InvalidItem, 'itemIndexes'>) | InvalidItem> {
	const planned = [];
	for (const item of items) {
		const itemIndexes = [item.index] as const;
		try {
			planned.push({ itemIndexes, ...plan(item) });
		} catch (error) {
			planned.push({ itemIndexes, error });
		}
	}
	return planned;
}

export function isInvalid(planned: object): planned is InvalidItem {
	return 'error' in planned;
}

function unfinished({ displayName }: Pick<Field, 'displayName'>): ValidationError {
	const problem = 'the text contains "{{", but is not an expression';
	const advice = 'Switch the field to Expression, and end the expression with "}}".';
	return new ValidationError(displayName, problem, advice);
}

/** Whether a part of what was entered passes a test. */
function contains(raw: unknown, test: (text: unknown) => boolean): boolean {
	if (typeof raw !== 'object' || raw === null) return test(raw);
	return Object.values(raw).some((part) => contains(part, test));
}

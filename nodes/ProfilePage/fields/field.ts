import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { invalid } from '../service/failure';
import { isBlank, isObject, quotable } from '../shared/values';
import { readDateTime } from './dateTime';
import { isMissing, isTemplate, noValue } from './expression';
import { checkFinished, type Item } from './item';
import { readBoolean, readInteger, readText, readWebAddress } from './readers';

/** What the editor shows of a field, without its type; without a default, that is an empty text. */
type Shown = Omit<INodeProperties, 'type' | 'default'> & Partial<Pick<INodeProperties, 'default'>>;

/** A field of the node: what the editor shows, and how its value is read. */
export class Field<T> {
	/**
	 * @param shown what the editor shows
	 * @param parse returns a value as T, or throws Failed
	 */
	constructor(
		readonly shown: INodeProperties,
		readonly parse: (value: unknown, item: Item) => T,
	) {}

	/** Returns the value for an item. Throws Failed if it is invalid, or what n8n throws for an invalid expression. */
	read(item: Item): T {
		return this.parse(item.value(this.shown), item);
	}
}

/** A field in Options: the same for all items. */
export class Option<T> extends Field<T> {
	readonly #path: readonly string[];

	/** @param path the names that lead to it among the options */
	constructor(field: Field<T>, path: readonly string[] = [field.shown.name]) {
		super(field.shown, field.parse);
		this.#path = path;
	}

	override read(item: Item): T {
		return this.parse(item.option(this.shown, this.#path), item);
	}
}

/** A resource locator. A workflow written by hand may contain the value alone. */
export class Locator<T> extends Field<T> {
	override read(item: Item): T {
		const isLocator = typeof item.raw(this.shown) === 'object';
		const value = isLocator ? { ...this.shown, name: `${this.shown.name}.value`, default: '' } : this.shown;
		return this.parse(item.value(value), item);
	}
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of the fields that are set, by name. */
type Values<F extends Fields> = { readonly [Name in keyof F]?: F[Name] extends Field<infer T> ? T : never };

/**
 * A field in which users add the optional fields they want to set. A field is not set if it is empty on purpose: left
 * empty, a literal `null`, or a single expression that returns an empty string.
 */
export class Collection<F extends Fields> extends Field<Values<F>> {
	readonly #nullable: ReadonlyArray<keyof F>;

	/**
	 * @param fields by their names, in the order of the editor
	 * @param nullable fields for which `null` and `undefined` mean not set; for others, they usually mean a misspelt
	 *   property
	 */
	constructor(shown: Shown, fields: F, nullable: ReadonlyArray<keyof F> = []) {
		const options = Object.values(fields).map((field) => field.shown);
		super({ default: {}, ...shown, type: 'collection', options }, (values, item) => this.#parse(values, item, fields));
		this.#nullable = nullable;
	}

	#parse(values: unknown, item: Item, fields: F): Values<F> {
		if (!isObject(values)) {
			const advice = 'Add the fields one by one, or return an object with the names and values of the fields.';
			throw invalid(this.shown.displayName, 'the expression does not return an object', advice);
		}
		const set = Object.entries(fields).filter(([name, { shown }]) => this.#isSet(name, values, item, shown));
		return Object.fromEntries(set.map(([name, { parse }]) => [name, parse(values[name], item)])) as Values<F>;
	}

	#isSet(name: string, values: IDataObject, item: Item, field: INodeProperties): boolean {
		if (!Object.hasOwn(values, name)) return false;
		const raw = item.raw(this.shown);
		// The whole collection may be an expression.
		const rawValue = isObject(raw) ? raw[name] : raw;
		checkFinished(rawValue, field);
		const value = values[name];
		if (!isBlank(value)) return true;
		const isAllowed = this.#nullable.includes(name) && !isTemplate(rawValue);
		if (isMissing(rawValue, value) && !isAllowed)
			throw noValue(field.displayName, { ifEmpty: 'leave the field empty' });
		return false;
	}
}

/** A text, trimmed and never empty. `advice` says what to enter. */
export function textField(shown: Shown, advice: string): Field<string> {
	return ofType('string', shown, (value) => readText(value, shown.displayName, advice));
}

/** A full web address. */
export function addressField(shown: Shown): Field<string> {
	return ofType('string', shown, (value) => readWebAddress(value, shown.displayName));
}

/** A date and time, as RFC 3339 in the time zone of the workflow. */
export function timeField(shown: Shown): Field<string> {
	return ofType('dateTime', shown, (value, item) => readDateTime(value, shown.displayName, item.context.getTimezone()));
}

/** A whole number, within the bounds that the editor shows. */
export function integerField(shown: Shown & { default: number }): Field<number> {
	return ofType('number', shown, (value) => readInteger(value, { ...shown, type: 'number' }));
}

export function booleanField(shown: Shown & { default: boolean }): Field<boolean> {
	return ofType('boolean', shown, (value) => readBoolean(value, shown.displayName));
}

/** A choice of some values. */
export function choiceField<const V extends string>(
	shown: Shown & { default: NoInfer<V>; options: ReadonlyArray<INodePropertyOptions & { value: V }> },
): Field<V> {
	const options = [...shown.options];
	const advice = `Use one of: ${options.map(({ value }) => value).join(', ')}.`;
	return ofType('options', { ...shown, options }, (value) => {
		const text = readText(value, shown.displayName, advice);
		const found = options.find((option) => option.value === text);
		if (found) return found.value;
		throw invalid(shown.displayName, `"${quotable(text)}" is not one of the options`, advice);
	});
}

/** A field whose value is read by its operation. */
export function anyField(shown: INodeProperties): Field<unknown> {
	return new Field(shown, (value) => value);
}

/** A text between the fields. */
export function notice(
	name: string,
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): Field<undefined> {
	return ofType('notice', { displayName, name, ...(displayOptions && { displayOptions }) }, () => undefined);
}

function ofType<T>(type: INodeProperties['type'], shown: Shown, parse: Field<T>['parse']): Field<T> {
	return new Field({ ...shown, type, default: shown.default ?? '' }, parse);
}

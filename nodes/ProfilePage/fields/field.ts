import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { invalid } from '../shared/failure';
import { isBlank, isObject, quotable } from '../shared/values';
import { readDateTime } from './dateTime';
import { type Entered, noValue } from './entered';
import { type Item, optionsShown } from './item';
import { readBoolean, readInteger, readText, readWebAddress } from './readers';

type Shown = Omit<Partial<INodeProperties>, 'displayName' | 'name' | 'type'>;

/** A field of the node: what the editor shows, and how its value is read. */
export class Field<T> {
	readonly #find: (item: Item) => Entered;

	/** @param parse returns a value as T, or throws Failure */
	constructor(
		readonly shown: INodeProperties,
		readonly parse: (value: unknown, entered: Entered) => T,
		find: (item: Item) => Entered = (item) => item.entered(shown),
	) {
		this.#find = find;
	}

	/** Returns the value for an item. Throws Failure if it is invalid, or what n8n throws for an invalid expression. */
	read(item: Item): T {
		const entered = this.#find(item);
		const { problem } = entered;
		if (problem) throw problem;
		return this.parse(entered.value, entered);
	}

	/** Returns the same field in Options, which apply to all items. `parents` are the names that lead to it there. */
	asOption(...parents: string[]): Field<T> {
		const path = [...parents, this.shown.name];
		return new Field(this.shown, this.parse, (item) => item.entered(optionsShown).at(path, this.shown));
	}
}

/** A resource locator. A workflow written by hand may contain the value alone. */
export function locatorField<T>(shown: INodeProperties, parse: Field<T>['parse']): Field<T> {
	const value = { ...shown, name: `${shown.name}.value`, default: '' };
	return new Field(shown, parse, (item) => item.entered(typeof item.raw(shown) === 'object' ? value : shown));
}

/** A text, trimmed and never empty. `advice` says what to enter. */
export function textField(displayName: string, name: string, advice: string, shown: Shown): Field<string> {
	return new Field(shownAs('string', displayName, name, shown), (value) => readText(value, displayName, advice));
}

/** A full web address. */
export function addressField(displayName: string, name: string, shown: Shown): Field<string> {
	return new Field(shownAs('string', displayName, name, shown), (value) => readWebAddress(value, displayName));
}

/** A date and time, as RFC 3339 in the time zone of the workflow. */
export function timeField(displayName: string, name: string, shown: Shown): Field<string> {
	return new Field(shownAs('dateTime', displayName, name, shown), (value, { item }) =>
		readDateTime(value, displayName, item.context.getTimezone()),
	);
}

/** A whole number, within the bounds that the editor shows. */
export function integerField(displayName: string, name: string, shown: Shown & { default: number }): Field<number> {
	return new Field(shownAs('number', displayName, name, shown), (value) =>
		readInteger(value, displayName, shown.typeOptions),
	);
}

export function booleanField(displayName: string, name: string, shown: Shown & { default: boolean }): Field<boolean> {
	return new Field(shownAs('boolean', displayName, name, shown), (value) => readBoolean(value, displayName));
}

/** An option of one operation that is off until users add it and turn it on. */
export function flagOption(displayName: string, name: string, description: string): Field<boolean> {
	return booleanField(displayName, name, { description, default: false }).asOption();
}

/** A choice of some values. */
export function choiceField<const V extends string>(
	displayName: string,
	name: string,
	shown: Shown & { default: NoInfer<V>; options: ReadonlyArray<INodePropertyOptions & { value: V }> },
): Field<V> {
	const options = [...shown.options];
	const advice = `Use one of: ${options.map(({ value }) => value).join(', ')}.`;
	return new Field(shownAs('options', displayName, name, { ...shown, options }), (value) => {
		const text = readText(value, displayName, advice);
		const found = options.find((option) => option.value === text);
		if (found) return found.value;
		throw invalid(displayName, `"${quotable(text)}" is not one of the options`, advice);
	});
}

/** A text between the fields. */
export function notice(name: string, text: string, shown: Shown = {}): Field<undefined> {
	return new Field(shownAs('notice', text, name, shown), () => undefined);
}

function shownAs(type: INodeProperties['type'], displayName: string, name: string, shown: Shown): INodeProperties {
	return { displayName, name, ...shown, type, default: shown.default ?? '' };
}

type Fields = Readonly<Record<string, Field<unknown>>>;

type Values<F extends Fields> = { readonly [Name in keyof F]?: F[Name] extends Field<infer T> ? T : never };

/**
 * A field in which users add the optional fields they want to set. A field is not set if it is empty on purpose: left
 * empty, a literal `null`, or a single expression that returns an empty string. A date must not be left empty.
 *
 * @param fields by their names, in the order of the editor
 * @param nullable fields for which `null` and `undefined` mean not set; for others, they usually mean a misspelt property
 */
export function collectionField<F extends Fields>(
	displayName: string,
	name: string,
	shown: Shown,
	fields: F,
	nullable: ReadonlyArray<keyof F> = [],
): Field<Values<F>> {
	const options = Object.values(fields).map((field) => field.shown);
	return new Field(shownAs('collection', displayName, name, { default: {}, ...shown, options }), (values, entered) => {
		if (!isObject(values)) {
			const advice = 'Add the fields one by one, or return an object with the names and values of the fields.';
			throw invalid(displayName, 'the expression does not return an object', advice);
		}
		const raw = entered.kind === 'fixed' ? undefined : entered.raw;
		const added = Object.entries(fields).filter(([each]) => Object.hasOwn(values, each));
		const set = added.flatMap(([each, { shown: inner, parse }]) => {
			const part = entered.at([each], inner, raw);
			return isSet(part, nullable.includes(each)) ? [[each, parse(part.value, part)] as const] : [];
		});
		return Object.fromEntries(set) as Values<F>;
	});
}

function isSet({ shown, kind, value, isMissing, problem }: Entered, isNullable: boolean): boolean {
	if (isMissing && isNullable && kind !== 'template') return false;
	if (isMissing) {
		const advice =
			'Check the names in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.';
		throw noValue(shown.displayName).with({ advice });
	}
	if (problem) throw problem;
	// A link without the schedule that was added would be public at once.
	if (isBlank(value) && shown.type === 'dateTime' && kind === 'fixed') {
		throw invalid(shown.displayName, 'the value is empty', 'Enter a date, or remove the field.');
	}
	return !isBlank(value);
}

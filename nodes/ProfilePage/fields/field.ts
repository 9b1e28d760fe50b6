import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { invalid } from '../shared/failure';
import { asObject, asText, isBlank, quotable } from '../shared/values';
import { readDateTime } from './dateTime';
import { checkEntered, type Entered } from './entered';
import type { Item } from './item';
import { readBoolean, readInteger, readText, readWebAddress } from './readers';

type Shown = Omit<Partial<INodeProperties>, 'displayName' | 'name' | 'type'>;

/** A field of the node: what the editor shows, and how its value is read. */
export class Field<T> {
	/**
	 * @param parse returns a value as T, or throws Failure
	 * @param path where n8n stores it, such as "options.timeout" for an option
	 */
	constructor(
		readonly shown: INodeProperties,
		readonly parse: (value: unknown, item: Item) => T,
		readonly path: string = shown.name,
	) {}

	/** Returns the value for an item. Throws Failure if it is invalid, or what n8n throws for an invalid expression. */
	read(item: Item): T {
		const entered = item.entered(this.shown, this.path);
		checkEntered(entered, this.shown.displayName);
		return this.parse(entered.value, item);
	}

	/** Returns the same field in Options. */
	asOption(): Field<T> {
		return new Field(this.shown, this.parse, `${optionsShown.name}.${this.shown.name}`);
	}
}

/** The field Options, with all options of an operation. */
export const optionsShown: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
};

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
	return new Field(shownAs('dateTime', displayName, name, shown), (value, { context }) =>
		readDateTime(value, displayName, context.getTimezone()),
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
 * A field in which users add the optional fields they want to set. The value of one that is not set is undefined.
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
	return new Field(shownAs('collection', displayName, name, { default: {}, ...shown, options }), (value, item) => {
		const [raw, values] = [asObject(item.raw(name)), asObject(value)];
		const read = ([each, field]: [string, Field<unknown>]) => {
			// A literal null is an empty field.
			const entered = { raw: raw[each], value: raw[each] === null ? '' : values[each] };
			return [each, readIfSet(field, entered, item, nullable.includes(each))] as const;
		};
		const added = Object.entries(fields).filter(([each]) => Object.hasOwn(raw, each));
		return Object.fromEntries(added.map(read)) as Values<F>;
	});
}

const IF_MISSING =
	'Check the spelling of the properties in it. To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.';

/** Returns the value of a field in a collection; undefined if it was left empty, or a single expression returns an empty text. */
function readIfSet<T>({ shown, parse }: Field<T>, entered: Entered, item: Item, isNullable: boolean): T | undefined {
	const { raw, value } = entered;
	if (isNullable && (value === undefined || value === null)) return undefined;
	checkEntered(entered, shown.displayName, IF_MISSING);
	if (!isBlank(value)) return parse(value, item);
	// A link without the schedule that was added would be public at once. An expression may leave it out on purpose.
	if (shown.type === 'dateTime' && !asText(raw).includes('{{')) {
		throw invalid(shown.displayName, 'the value is empty', 'Enter a date, or remove the field.');
	}
	return undefined;
}

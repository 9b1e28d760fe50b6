/** A part of an HTML page, in which everything is escaped. */
export class Html {
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	toString(): string {
		return this.#text;
	}
}

/** Builds a part of a page from a template literal. Values are escaped, unless they are parts of a page, or lists of them. */
export function html(literals: TemplateStringsArray, ...values: ReadonlyArray<Value | readonly Value[]>): Html {
	return new Html(String.raw({ raw: literals }, ...values.map((value) => [value].flat().map(escape).join(''))));
}

type Value = Html | string | number | undefined;

function escape(value: Value = ''): string {
	return value instanceof Html
		? value.toString()
		: String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

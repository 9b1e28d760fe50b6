import { type IDataObject, isExpression, isSafeObjectProperty } from 'n8n-workflow';

/** An expression, in which n8n lets a backslash escape the closing braces. */
const EXPRESSION = String.raw`\{\{(?:\\.|(?!\}\})[^\\])*`;
const SINGLE_EXPRESSION = new RegExp(`^=${EXPRESSION}\\}\\}$`, 's');
/** n8n also evaluates an expression that is not closed at the end of the text. */
const EXPRESSIONS = new RegExp(`${EXPRESSION}(?:\\}\\}|\\\\)?`, 'gs');

/** An expression that is only a path into the item: `={{ $json.page['block ids'] }}`. */
const PATH_EXPRESSION = /^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'\\{}]*'|"[^"\\{}]*")\])+)\s*\}\}$/;

/**
 * What was entered in a field, as n8n takes it:
 * - `fixed`: as it is. So is a list or an object; each text in it has a kind of its own.
 * - `unfinished`: as it is, too, but it was meant as an expression.
 * - `expression`: one expression and nothing else. Its value may be of any type.
 * - `template`: expressions with a text around them, even a space. Its value is a text, in which `null` and `undefined` are blank.
 */
export type Kind = 'fixed' | 'unfinished' | 'expression' | 'template';

export function kindOf(raw: unknown): Kind {
	if (typeof raw !== 'string' || !raw.includes('{{')) return 'fixed';
	if (!isExpression(raw)) return 'unfinished';
	return SINGLE_EXPRESSION.test(raw) ? 'expression' : 'template';
}

/** An expression in a template. */
export interface Inserted {
	/** Such as `{{ $json.id }}`. */
	readonly expression: string;
	/** The text before it, without other expressions. */
	readonly before: string;
	readonly value: unknown;
}

/** Returns the expressions in a template, with their values; none for anything else. */
export function findInserted(raw: unknown, evaluate: (expression: string) => unknown): Inserted[] {
	if (typeof raw !== 'string' || kindOf(raw) !== 'template') return [];
	const { texts, expressions } = split(raw);
	return expressions.map((expression, index) => ({
		expression,
		before: texts.slice(0, index + 1).join(''),
		value: evaluate(expression),
	}));
}

/** Returns the expressions in a template, and the texts before, between, and after them. */
function split(template: string) {
	const text = template.slice(1);
	return { texts: text.split(EXPRESSIONS), expressions: text.match(EXPRESSIONS) ?? [] };
}

/** Reads from an item what n8n would evaluate; undefined if that is left to n8n. */
type Reader = (json: IDataObject) => unknown;

/** Returns how to read what was entered without n8n; undefined unless its expressions are only paths into the item. */
export function readerOf(raw: unknown): Reader | undefined {
	return typeof raw === 'string' && kindOf(raw) === 'template' ? templateReader(raw) : pathReader(raw);
}

/** Returns how to read a path expression. What is missing, and instances of classes, such as dates, are left to n8n. */
export function pathReader(raw: unknown): Reader | undefined {
	const names = parsePathExpression(raw);
	if (!names) return undefined;
	return (json) => {
		const found = followPath(json, names);
		const isData = typeof found !== 'object' || Array.isArray(found) || found?.constructor === Object;
		return isData ? found : undefined;
	};
}

/** Returns how to read a template. What is no text or number is left to n8n, and a backslash, by which n8n keeps braces. */
function templateReader(raw: string): Reader | undefined {
	const { texts, expressions } = split(raw);
	const readers = expressions.flatMap((expression) => pathReader(`=${expression}`) ?? []);
	if (readers.length < expressions.length || raw.includes('\\')) return undefined;
	return (json) => {
		const values = readers.map((read) => read(json));
		return values.every(isText) ? texts.map((text, index) => `${text}${values[index] ?? ''}`).join('') : undefined;
	};
}

/** n8n drops NaN. */
function isText(value: unknown): value is string | number {
	return typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value));
}

/** Returns the names in a path expression; undefined for any other value. */
function parsePathExpression(raw: unknown): string[] | undefined {
	const path = typeof raw === 'string' ? PATH_EXPRESSION.exec(raw)?.[1] : undefined;
	const names = path && Array.from(path.matchAll(STEP), readName);
	// n8n rejects names such as "constructor" with a message of its own.
	return names && names.every(isSafeObjectProperty) ? names : undefined;
}

/** A name after a dot, or in brackets: a number, or a name in quotation marks. */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:\\.|[^\\'])*)'\]|\["((?:\\.|[^\\"])*)"\]/g;

/**
 * Returns the names in a path, the outermost first. The editor writes "block.id", "blocks[0].id" or "block['the id']"
 * when a column is dragged onto a field. Other brackets are part of a name.
 */
export function parsePath(text: string): string[] {
	const path = text.startsWith('[') ? text : `.${text}`;
	const isPath = path.replace(STEP, '') === '';
	return isPath ? Array.from(path.matchAll(STEP), readName) : text.split('.');
}

function readName([step, ...names]: RegExpMatchArray): string {
	const name = names.find(Boolean) ?? '';
	return step.startsWith('[') ? name.replace(/\\(.)/g, '$1') : name;
}

/** Returns the value at a path; undefined if a field is missing or inherited. */
export function followPath(data: unknown, names: readonly string[]): unknown {
	let value = data;
	for (const name of names) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
		value = Reflect.get(value, name);
	}
	return value;
}

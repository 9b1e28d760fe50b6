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
	const texts = raw.slice(1).split(EXPRESSIONS);
	return Array.from(raw.matchAll(EXPRESSIONS), ([expression], index) => ({
		expression,
		before: texts.slice(0, index + 1).join(''),
		value: evaluate(expression),
	}));
}

/**
 * Returns the value of an expression that is only a path into an item. Undefined for any other, and for what is left to
 * n8n: what is missing, and instances of classes, such as dates.
 */
export function valueAt(raw: unknown, json: IDataObject): unknown {
	const names = parsePathExpression(raw);
	const found = names && followPath(json, names);
	const isData = typeof found !== 'object' || Array.isArray(found) || found?.constructor === Object;
	return isData ? found : undefined;
}

/**
 * Returns the text of a template if all its expressions are paths to texts and numbers, and it has no backslash, by which
 * n8n keeps braces; undefined for any other.
 */
export function fillIn(raw: unknown, json: IDataObject): string | undefined {
	const template = String(raw).slice(1);
	const values = Array.from(template.matchAll(EXPRESSIONS), ([expression]) => valueAt(`=${expression}`, json));
	// n8n drops NaN.
	const isText = (value: unknown): value is string | number =>
		typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value));
	if (!values.every(isText) || template.includes('\\')) return undefined;
	const texts = template.split(EXPRESSIONS);
	return texts.map((text, index) => `${text}${values[index] ?? ''}`).join('');
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

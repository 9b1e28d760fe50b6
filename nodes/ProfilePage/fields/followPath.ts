/** A name after a dot, or what stands in brackets: a number, or a name in quotation marks. */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:\\.|[^\\'])*)'\]|\["((?:\\.|[^\\"])*)"\]/g;

/**
 * Parses a path into nested data. The editor writes such a path when a column is dragged onto a field.
 *
 * @param text "block.id", "blocks[0].id" or "block['the id']"; a text with other brackets is split at its dots
 * @returns the names of the fields, the outermost first
 */
export function parsePath(text: string): string[] {
	const path = text.startsWith('[') ? text : `.${text}`;
	const steps = [...path.matchAll(STEP)];
	const isPath = steps.map(([step]) => step).join('') === path;
	return isPath ? steps.map(readName) : text.split('.');
}

function readName([step, ...names]: RegExpMatchArray): string {
	const name = names.find((found) => found) ?? '';
	return step.startsWith('[') ? name.replace(/\\(.)/g, '$1') : name;
}

/**
 * Follows a path into nested data.
 *
 * @param names of the fields, the outermost first
 * @returns what stands there; undefined if a field on the way is missing, or not one of its holder's own
 */
export function followPath(data: unknown, names: readonly string[]): unknown {
	return names.reduce<unknown>((holder, name) => {
		const isHolder = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name);
		return isHolder ? (holder as Record<string, unknown>)[name] : undefined;
	}, data);
}

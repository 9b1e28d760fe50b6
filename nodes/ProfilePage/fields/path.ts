/** A name after a dot, or in brackets: a number, or a name in quotation marks. */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:\\.|[^\\'])*)'\]|\["((?:\\.|[^\\"])*)"\]/g;

/**
 * Returns the names in a path, the outermost first. The editor writes "block.id", "blocks[0].id" or "block['the id']"
 * when a column is dragged onto a field. Other brackets are part of a name.
 */
export function parsePath(text: string): string[] {
	const path = text.startsWith('[') ? text : `.${text}`;
	const steps = [...path.matchAll(STEP)];
	const isPath = steps.map(([step]) => step).join('') === path;
	return isPath ? steps.map(readName) : text.split('.');
}

function readName([step, ...names]: RegExpMatchArray): string {
	const name = names.find(Boolean) ?? '';
	return step.startsWith('[') ? name.replace(/\\(.)/g, '$1') : name;
}

/** Returns the value at a path; undefined if a field is missing or inherited. */
export function followPath(data: unknown, names: readonly string[]): unknown {
	return names.reduce<unknown>((parent, name) => {
		const isParent = typeof parent === 'object' && parent !== null;
		return isParent && Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
	}, data);
}

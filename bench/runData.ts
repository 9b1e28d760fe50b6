/**
 * Reads one value out of the text in which n8n stores an execution: a JSON array in which each text
 * inside of an object is the index of what stands there. Reading all of it would take long.
 *
 * @param path the names that lead to the value
 * @throws Error if nothing is there
 */
export function readStored(text: string, path: ReadonlyArray<string | number>): unknown {
	const values = JSON.parse(text) as unknown[];
	return path.reduce<unknown>((holder, name) => {
		const value = (holder as Record<string, unknown> | undefined)?.[name];
		if (value === undefined) throw new Error(`n8n stored no ${path.join('.')} (${name})`);
		return typeof value === 'string' ? values[Number(value)] : value;
	}, values[0]);
}

/** @returns how long the one run of a node took in a stored execution, in milliseconds */
export function nodeTime(text: string, node: string): number {
	return Number(readStored(text, ['resultData', 'runData', node, 0, 'executionTime']));
}

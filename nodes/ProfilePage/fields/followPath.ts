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

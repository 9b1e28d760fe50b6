/** Whether a value is missing, or a text of nothing but white space. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

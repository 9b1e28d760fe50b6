/** The fields of a form; none if the body is not a form. A field that came twice is an array. */
export function fieldsOf(body: unknown): Record<string, unknown> {
	return (typeof body === 'object' ? (body ?? {}) : {}) as Record<string, unknown>;
}

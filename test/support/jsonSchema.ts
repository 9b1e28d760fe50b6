import { isObject } from '../../nodes/ProfilePage/shared/values';

export interface JsonSchema {
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
}

/** Returns the JSON Schema that fits all of these values. n8n's editor shows the first type of several, so null is last. */
export function schemaOf(values: readonly unknown[]): JsonSchema {
	const types = [...new Set(values.map(typeOf))].sort(
		(one, other) => Number(one === 'null') - Number(other === 'null'),
	);
	const entries = values.filter(isObject).flatMap((value) => Object.entries(value));
	const listed = values.filter((value) => Array.isArray(value)).flat() as unknown[];
	return {
		type: types.length === 1 ? types[0]! : types,
		...(entries.length > 0 && { properties: propertiesOf(entries) }),
		...(listed.length > 0 && { items: schemaOf(listed) }),
	};
}

function propertiesOf(entries: ReadonlyArray<[name: string, value: unknown]>): Record<string, JsonSchema> {
	const names = [...new Set(entries.map(([name]) => name))];
	const valuesOf = (wanted: string) => entries.filter(([name]) => name === wanted).map(([, value]) => value);
	return Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))]));
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

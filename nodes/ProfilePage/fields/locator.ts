import type { IExecuteFunctions } from 'n8n-workflow';

import { type FieldReader, fieldReader, readRaw } from './fieldReader';

/**
 * Prepares to read a resource locator for many items. The editor stores it as an object that has what
 * was chosen as its `value`; whoever writes a workflow by hand may give the value alone.
 *
 * @returns a function that gives the value
 */
export function locatorReader(context: IExecuteFunctions, name: string): FieldReader {
	const raw = readRaw(context, name, '');
	return fieldReader(context, typeof raw === 'object' ? `${name}.value` : name, '');
}

/**
 * Text for a terminal. `styleText` leaves out colors where the terminal has none, and with NO_COLOR.
 */
import { styleText } from 'node:util';

import type { RecordedRequest } from '../sandbox/recorder';

export const bold = (text: string) => styleText('bold', text);
export const green = (text: string) => styleText('green', text);

/** Returns the fields of a form that was sent. */
export function showForm(form: Readonly<Record<string, string>> = {}): string {
	const fields = Object.entries(form).map((field) => field.join('='));
	return fields.join(', ') || 'nothing';
}

/** Returns a line for a request: its status, its path without the query, and its form as far as there is room for it. */
export function showRequest({ method, url, status = 0, body }: RecordedRequest): string {
	const form = showForm(Object.fromEntries(new URLSearchParams(body)));
	const line = `  ${status}  ${`${method} ${url.split('?')[0]}`.padEnd(34)}  ${body && form}`.trimEnd();
	const room = process.stdout.columns || 120;
	return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}

/** Returns the rows of a table, of which the first one has the heads. */
export function showTable(rows: ReadonlyArray<readonly unknown[]>): string {
	const widthOf = (column: number) => Math.max(...rows.map((row) => String(row[column]).length));
	const lines = rows.map((row) =>
		row
			.map((cell, column) => String(cell).padEnd(widthOf(column) + 4))
			.join('')
			.trimEnd(),
	);
	return lines.map((line, index) => `  ${index === 0 ? styleText('dim', line) : line}`).join('\n');
}

/** @returns a Markdown table, its columns aligned; the first one holds words, the others numbers */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const widths = head.map((_, column) =>
		Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const toLine = (row: readonly string[]) =>
		line(
			row.map((cell, column) =>
				column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
			),
		);
	const rule = line(
		widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
	);
	return [toLine(head), rule, ...rows.map(toLine)].join('\n');
}

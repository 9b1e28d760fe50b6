import type { IDataObject } from 'n8n-workflow';

import type { Rest, Stored } from './rest';

/** A row, with its ID and the times that n8n adds. */
export type Row = IDataObject & { id: number };

/** A data table in the personal project of the owner, used as in the editor. */
export class DataTable {
	readonly #rest: Rest;
	readonly #path: string;

	private constructor(rest: Rest, path: string) {
		this.#rest = rest;
		this.#path = path;
	}

	/** Finds a table by its name. */
	static async find(rest: Rest, name: string): Promise<DataTable> {
		const { id: project } = await rest.send<Stored>('GET', '/projects/personal');
		const path = `/projects/${project}/data-tables`;
		const { data } = await rest.send<{ data: Stored[] }>('GET', path);
		const table = data.find((candidate) => candidate.name === name);
		if (!table) throw new Error(`n8n has no data table ${name}.`);
		return new DataTable(rest, `${path}/${table.id}`);
	}

	/** In the order in which they were added. */
	async rows(): Promise<Row[]> {
		const path = `${this.#path}/rows?take=100&sortBy=id:asc`;
		return (await this.#rest.send<{ data: Row[] }>('GET', path)).data;
	}

	async add(...data: IDataObject[]): Promise<void> {
		await this.#rest.send('POST', `${this.#path}/insert`, { data, returnType: 'count' });
	}

	/** Changes the rows in which a column has this value. */
	async change(column: string, value: unknown, data: IDataObject): Promise<void> {
		const filter = filterBy(column, value);
		await this.#rest.send('PATCH', `${this.#path}/rows`, { filter, data });
	}

	/** Deletes the rows in which a column has this value. */
	async delete(column: string, value: unknown): Promise<void> {
		const query = new URLSearchParams({ filter: JSON.stringify(filterBy(column, value)) });
		await this.#rest.send('DELETE', `${this.#path}/rows?${query.toString()}`);
	}
}

function filterBy(columnName: string, value: unknown): object {
	return { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
}

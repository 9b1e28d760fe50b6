import type { Harness } from './harness';
import { baseline, httpReorder, reorderByValue } from './nodes';
import type { Section } from './report';
import { inN8n, reading, type Results, takeTurns, type Workload } from './rounds';
import { httpRead, sendRead } from './nodes';

const variants = {
	default: inN8n('This node', reorderByValue()),
	ten: inN8n('This node, Items per Batch 10', reorderByValue(10)),
	helper: inN8n("n8n's request helper, 50 at once", baseline(50)),
	http: inN8n("n8n's HTTP Request node", httpReorder),
};

const smallVariants = { default: variants.default, ten: variants.ten };

const reads = {
	default: reading('Send Request', sendRead()),
	ten: reading('Send Request, Items per Batch 10', sendRead(10)),
	http: reading("n8n's HTTP Request node", httpRead),
};

/** The highest times of this node by default, as multiples of other times of the same run. */
export interface Limits {
	readonly ten: number;
	readonly helper?: number;
}

/** Compares Reorder Blocks with the request helper alone, and with the HTTP Request node. */
export async function compare(harness: Harness, workload: Workload, limits: Limits) {
	const name = nameOf(harness, workload);
	const results = await takeTurns(harness, variants, workload);
	const targets = [{ name: `${name}: default against 10`, value: results.ratio('default', 'ten'), limit: limits.ten }];
	if (limits.helper !== undefined) {
		const value = results.ratio('default', 'helper');
		targets.push({ name: `${name}: default against the request helper, 50 at once`, value, limit: limits.helper });
	}
	const duels = [{ name, ours: results.time('default'), http: results.time('http') }];
	return { name, results, section: { title: name, table: await results.table('http'), targets, duels } };
}

/** Compares the default with Items per Batch 10 for a few pages. */
export async function compareFew(harness: Harness, workload: Workload, limit: number): Promise<Section> {
	const title = nameOf(harness, workload);
	const results = await takeTurns(harness, smallVariants, workload);
	const targets = [{ name: `${title}: default against 10`, value: results.ratio('default', 'ten'), limit }];
	return { title, table: await results.table('ten'), targets };
}

/** Compares GET requests of Send Request with the HTTP Request node. */
export async function compareReads(harness: Harness, workload: Workload, limit: number): Promise<Section> {
	const title = `${workload.pages} GET requests of Send Request, latency ${workload.latency} ms`;
	const results = await takeTurns(harness, reads, workload);
	const targets = [{ name: `${title}: default against 10`, value: results.ratio('default', 'ten'), limit }];
	const duels = [{ name: title, ours: results.time('default'), http: results.time('http') }];
	return { title, table: await results.table('http'), targets, duels };
}

type Compared = Awaited<ReturnType<typeof compare>>;

/** Returns a chart of the times, relative to the HTTP Request node. */
export function chartOf(compared: readonly Compared[]): Section['chart'] {
	const keys = Object.keys(variants) as Array<keyof typeof variants>;
	const barsOf = (results: Results<keyof typeof variants>) =>
		keys.map((key) => ({
			name: results.nameOf(key),
			value: results.ratio(key, 'http'),
			label: results.ratio(key, 'http').toFixed(2),
			isOurs: key === 'default' || key === 'ten',
		}));
	return {
		file: 'comparison',
		title: 'Time to reorder pages, relative to the HTTP Request node (shorter is better)',
		groups: compared.map(({ name, results }) => ({ name, bars: barsOf(results) })),
	};
}

function nameOf({ address }: Harness, { pages, latency }: Workload): string {
	return `${pages} pages, ${address.certificate ? 'TLS' : 'http'}, latency ${latency} ms`;
}

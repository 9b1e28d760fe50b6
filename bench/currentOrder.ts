import type { Harness } from './harness';
import { reorderByValue, reverseCurrentOrder } from './nodes';
import type { Section } from './report';
import { inN8n, takeTurns, type Workload } from './rounds';

const variants = {
	given: inN8n('Given order', reorderByValue()),
	current: inN8n('Move Blocks', reverseCurrentOrder, 2),
};

/** Compares a page's current order, which is read first, with a given one. */
export async function measureCurrentOrder(harness: Harness, workload: Workload): Promise<Section> {
	const title = `${workload.pages} pages by Move Blocks, latency ${workload.latency} ms`;
	const results = await takeTurns(harness, variants, workload);
	const targets = [{ name: `${title}: against a given order`, value: results.ratio('current', 'given'), limit: 2 }];
	return { title, table: await results.table('given'), targets };
}

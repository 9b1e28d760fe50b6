import { randomUUID } from 'node:crypto';

import type { Harness } from './harness';
import { measureNode } from './measure';
import { createLinks } from './nodes';
import type { Section } from './report';
import { takeTurns, type Variant, type Workload } from './rounds';

/** Fewer than the service lists: others cannot be found. */
const KNOWN = 40;

const variants = {
	plain: creating('Create Another', 'create', Infinity),
	new: creating('Skip, all new', 'skip', Infinity),
	known: creating(`Skip, ${KNOWN} URLs again and again`, 'skip', KNOWN),
};

/** Measures Create with Skip. */
export async function measureLinks(harness: Harness, workload: Workload): Promise<Section> {
	const title = `${workload.pages} links, latency ${workload.latency} ms`;
	const results = await takeTurns(harness, variants, workload);
	const targets = [
		{ name: `${title}, Skip, all new: against Create Another`, value: results.ratio('new', 'plain'), limit: 1.1 },
		{
			name: `${title}, Skip, ${KNOWN} URLs: against Create Another`,
			value: results.ratio('known', 'plain'),
			limit: 1.1,
		},
	];
	return { title, table: await results.table('plain'), targets };
}

/** Creates as many links as there are pages, with so many different URLs. */
function creating(name: string, ifExists: string, urls: number): Variant {
	return {
		name,
		run: async (harness, pageIds) => {
			const run = randomUUID();
			const toItems = () => pageIds.map((_, index) => ({ url: `https://example.com/${run}/${index % urls}` }));
			const measurement = await measureNode(harness, await createLinks(ifExists)(harness), [], { toItems });
			const fewest = Math.min(urls, pageIds.length);
			if (measurement.requests < fewest) throw new Error(`${measurement.requests} requests instead of ${fewest}`);
			return measurement;
		},
	};
}

import type { Harness } from './harness';
import { type Measurement, measureNode } from './measure';
import type { MakeNode } from './nodes';
import { smallPages } from './pages';

/** A way to do the work. */
export interface Variant {
	readonly name: string;
	readonly run: (harness: Harness, pageIds: readonly string[]) => Promise<Measurement>;
}

export interface Workload {
	readonly pages: number;
	/** In milliseconds. */
	readonly latency: number;
	/** Number of measurements of each variant. */
	readonly rounds: number;
}

export type Runs<T extends Variant> = ReadonlyMap<T, readonly Measurement[]>;

/** The warm-up round uses a third of the pages. */
const WARM_UP_FRACTION = 1 / 3;

/** A node in n8n that sends as many requests for each page. */
export const inN8n = (name: string, makeNode: MakeNode, requestsPerPage = 1): Variant => ({
	name,
	run: async (harness, pageIds) => await measureNode(harness, await makeNode(harness), pageIds, { requestsPerPage }),
});

/** Measures all variants, round by round, after a warm-up round. */
export async function takeTurns<T extends Variant>(
	harness: Harness,
	variants: readonly T[],
	{ pages, latency, rounds }: Workload,
): Promise<Runs<T>> {
	const pageIds = smallPages(pages);
	const warmUp = smallPages(Math.ceil(pages * WARM_UP_FRACTION));
	await harness.service.setLatency(latency);
	const runs = new Map<T, Measurement[]>(variants.map((variant) => [variant, []]));
	for (let round = 0; round <= rounds; round += 1) {
		// In alternating order, so that a variant does not always affect the same successor.
		for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
			const measurement = await variant.run(harness, round === 0 ? warmUp : pageIds);
			if (round > 0) runs.get(variant)?.push(measurement);
		}
	}
	return runs;
}

import type { Harness } from './harness';
import { expectChanged, expectRequests, type Measurement, measureNode } from './measure';
import type { MakeNode } from './nodes';
import { smallPages } from './pages';
import { type Spread, spread, table } from './report';

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

/** The warm-up round uses a third of the pages. */
const WARM_UP_FRACTION = 1 / 3;

/** A node in n8n that sends as many requests for each page, and reverses the pages. */
export const inN8n = (name: string, makeNode: MakeNode, requestsPerPage = 1): Variant => ({
	name,
	run: async (harness, pageIds) => {
		const measurement = await measureNode(harness, await makeNode(harness), pageIds);
		expectChanged(measurement);
		expectRequests(measurement, requestsPerPage * pageIds.length);
		return measurement;
	},
});

/** A node in n8n that reads each page once. */
export const reading = (name: string, makeNode: MakeNode): Variant => ({
	name,
	run: async (harness, pageIds) => {
		const measurement = await measureNode(harness, await makeNode(harness), pageIds);
		expectRequests(measurement, pageIds.length);
		return measurement;
	},
});

/** The measurements of variants that took turns. */
export class Results<Key extends string> {
	readonly #variants: Readonly<Record<Key, Variant>>;
	readonly #runs: ReadonlyMap<Variant, readonly Measurement[]>;

	constructor(variants: Readonly<Record<Key, Variant>>, runs: ReadonlyMap<Variant, readonly Measurement[]>) {
		this.#variants = variants;
		this.#runs = runs;
	}

	nameOf(key: Key): string {
		return this.#variants[key].name;
	}

	/** The median time, in milliseconds. */
	time(key: Key): number {
		return this.#spread(this.#variants[key], ({ time }) => time).median;
	}

	/** The median time, divided by that of another variant. */
	ratio(key: Key, other: Key): number {
		return this.time(key) / this.time(other);
	}

	/** @param base the variant that the others are compared with */
	async table(base: Key): Promise<string> {
		const rows = [...this.#runs.keys()].map((variant) => {
			const column = (valueOf: (run: Measurement) => number) => this.#spread(variant, valueOf);
			const { median, text } = column(({ time }) => time);
			const counts = [({ grants }: Measurement) => grants, ({ requests }: Measurement) => requests];
			const ratio = (median / this.time(base)).toFixed(2);
			const received = [...counts, ({ mostInFlight }: Measurement) => mostInFlight].map((each) => column(each).text);
			return [variant.name, text, ratio, ...received];
		});
		return await table(['Variant', 'Time in ms', `vs. ${this.nameOf(base)}`, 'Grants', 'Sent', 'In flight'], rows);
	}

	#spread(variant: Variant, valueOf: (run: Measurement) => number): Spread {
		return spread(this.#runs.get(variant) ?? [], valueOf);
	}
}

/** Measures all variants, round by round, after a warm-up round. */
export async function takeTurns<Key extends string>(
	harness: Harness,
	variants: Readonly<Record<Key, Variant>>,
	{ pages, latency, rounds }: Workload,
): Promise<Results<Key>> {
	const pageIds = smallPages(pages);
	const warmUp = smallPages(Math.ceil(pages * WARM_UP_FRACTION));
	const all = Object.values<Variant>(variants);
	const runs = new Map<Variant, Measurement[]>(all.map((variant) => [variant, []]));
	await harness.service.setLatency(latency);
	for (let round = 0; round <= rounds; round += 1) {
		// In alternating order, so that a variant does not always affect the same successor.
		for (const variant of round % 2 === 0 ? all : all.toReversed()) {
			const measurement = await variant.run(harness, round === 0 ? warmUp : pageIds);
			if (round > 0) runs.get(variant)?.push(measurement);
		}
	}
	return new Results(variants, runs);
}

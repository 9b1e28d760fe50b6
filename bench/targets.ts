import type { Comparison, VariantKey } from './comparison';
import { type Section, table } from './report';

/**
 * The highest time of a variant, as a multiple of the time of n8n's request helper alone with as many requests at once.
 * Unlike a ratio to the HTTP Request node, this depends little on the machine.
 */
const LIMITS = [
	{ variant: 'batch50', helper: 'helper50', limit: 1.05 },
	{ variant: 'batch10', helper: 'helper10', limit: 1.05 },
	{ variant: 'batch50', helper: 'helperInTurns50', limit: 1.25 },
] as const;

/** The same without latency. */
const LIMITS_WITHOUT_LATENCY = [
	{ variant: 'batch50', helper: 'helper50', limit: 1.1 },
	{ variant: 'batch10', helper: 'helper10', limit: 1.1 },
] as const;

/** The first two have a latency of 25 ms. */
export interface Compared {
	readonly http: Comparison;
	readonly tls: Comparison;
	readonly withoutLatency: Comparison;
}

/** Compares the times with the targets, in a table and a chart. */
export async function checkTargets({ http, tls, withoutLatency }: Compared) {
	const pairs = [
		...[http, tls].map((comparison) => ({ comparison, limits: LIMITS })),
		{ comparison: withoutLatency, limits: LIMITS_WITHOUT_LATENCY },
	];
	const measured = pairs.flatMap(({ comparison, limits }) =>
		limits.map(({ variant, helper, limit }) => ({
			name: `${comparison.nameOf(variant)}, ${comparison.name}`,
			helper: comparison.nameOf(helper),
			ratio: comparison.ratio(variant, helper),
			limit,
		})),
	);
	const isMet = ({ ratio, limit }: { ratio: number; limit: number }) => ratio <= limit;
	const rows = measured.map((each) => [
		each.name,
		each.helper,
		each.ratio.toFixed(2),
		each.limit.toFixed(2),
		isMet(each) ? 'yes' : 'no',
	]);
	const section: Section = {
		title: 'Relative time',
		isSummary: true,
		table: await table(['Variant', 'Compared with', 'Ratio', 'At most', 'Met'], rows),
		chart: {
			file: 'comparison',
			title: 'Time to reorder pages, relative to the HTTP Request node (shorter is better)',
			groups: [http, tls].map((comparison) => ({
				name: comparison.name,
				bars: CHARTED.map((variant) => ({
					name: comparison.nameOf(variant),
					value: comparison.ratio(variant),
					label: comparison.ratio(variant).toFixed(2),
					isOurs: OURS.has(variant),
				})),
			})),
		},
	};
	return { section, areMet: measured.every(isMet) };
}

const CHARTED: readonly VariantKey[] = ['batch50', 'helper50', 'batch10', 'helper10', 'httpRequest'];
const OURS: ReadonlySet<VariantKey> = new Set(['batch50', 'batch10']);

import type { Comparison, VariantKey } from './comparison';
import { type Section, table } from './report';

/** The highest time of a variant, as a fraction of the time of the HTTP Request node. */
interface Target {
	readonly comparison: Comparison;
	readonly variant: VariantKey;
	/** The least that a community node takes: n8n's request helper, with as many requests at once. */
	readonly helper: VariantKey;
	readonly limit: number;
}

/** The comparisons have a latency of 25 ms. */
export interface Compared {
	readonly http: Comparison;
	readonly tls: Comparison;
}

const targets = ({ http, tls }: Compared): Target[] => [
	{ comparison: http, variant: 'batch50', helper: 'helper50', limit: 0.2 },
	{ comparison: http, variant: 'batch10', helper: 'helper10', limit: 0.45 },
	{ comparison: tls, variant: 'batch50', helper: 'helper50', limit: 0.28 },
	{ comparison: tls, variant: 'batch10', helper: 'helper10', limit: 0.5 },
];

const isMet = ({ comparison, variant, limit }: Target) => comparison.ratio(variant) <= limit;

/** Compares the times with the targets, in a table and a chart. */
export async function checkTargets(
	compared: Compared,
): Promise<{ section: Section; areMet: boolean }> {
	const all = targets(compared);
	const rows = all.map((target) => {
		const { comparison, variant, helper, limit } = target;
		const verdict = isMet(target) ? 'yes' : 'no';
		return [
			`${comparison.nameOf(variant)}, ${comparison.name}`,
			comparison.ratio(helper).toFixed(2),
			comparison.ratio(variant).toFixed(2),
			limit.toFixed(2),
			verdict,
		];
	});
	const section = {
		title: 'Time relative to the HTTP Request node',
		isSummary: true,
		table: await table(['Variant', 'Helper alone', 'Measured', 'At most', 'Met'], rows),
		chart: {
			file: 'comparison',
			title: 'Time to reorder pages, relative to the HTTP Request node (shorter is better)',
			groups: [compared.http, compared.tls].map((comparison) => ({
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
	return { section, areMet: all.every(isMet) };
}

const CHARTED: readonly VariantKey[] = [
	'batch50',
	'helper50',
	'batch10',
	'helper10',
	'httpRequest',
];
const OURS: ReadonlySet<VariantKey> = new Set(['batch50', 'batch10']);

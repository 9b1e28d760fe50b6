import type { Comparison, VariantKey } from './comparison';
import { type Section, table } from './report';

/**
 * The highest time of a variant, as a multiple of the time of n8n's request helper alone. Unlike a ratio to the HTTP
 * Request node, this depends little on the machine.
 */
const LIMIT = 1.2;

/** The variants with a target, and the least that a community node takes with as many requests at once. */
const TARGETS = [
	{ variant: 'batch50', helper: 'helper50' },
	{ variant: 'batch10', helper: 'helper10' },
] as const;

/** The comparisons have a latency of 25 ms. */
export interface Compared {
	readonly http: Comparison;
	readonly tls: Comparison;
}

/** Compares the times with the targets, in a table and a chart. */
export async function checkTargets({ http, tls }: Compared): Promise<{ section: Section; areMet: boolean }> {
	const measured = [http, tls].flatMap((comparison) =>
		TARGETS.map(({ variant, helper }) => ({
			name: `${comparison.nameOf(variant)}, ${comparison.name}`,
			toHttpRequest: comparison.ratio(variant),
			toHelper: comparison.ratio(variant, helper),
		})),
	);
	const isMet = ({ toHelper }: { toHelper: number }) => toHelper <= LIMIT;
	const rows = measured.map((each) => [
		each.name,
		each.toHttpRequest.toFixed(2),
		each.toHelper.toFixed(2),
		LIMIT.toFixed(2),
		isMet(each) ? 'yes' : 'no',
	]);
	const section = {
		title: 'Relative time',
		isSummary: true,
		table: await table(['Variant', 'vs. HTTP', 'vs. helper', 'At most', 'Met'], rows),
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

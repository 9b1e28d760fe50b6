import { html } from 'ghtml';

export interface Bar {
	readonly name: string;
	readonly value: number;
	/** Shown after the bar. */
	readonly label: string;
	/** Highlights this package. */
	readonly isOurs: boolean;
}

/** A horizontal bar chart. */
export interface Chart {
	/** Without its extension. */
	readonly file: string;
	readonly title: string;
	readonly groups: ReadonlyArray<{ readonly name: string; readonly bars: readonly Bar[] }>;
}

/** Of GitHub's pages, which show the charts on their own background. */
export const themes = {
	light: { text: '#1f2328', ours: '#0969da', others: '#8c959f' },
	dark: { text: '#f0f6fc', ours: '#4493f7', others: '#656c76' },
} as const;

export type Theme = keyof typeof themes;

const WIDTH = 760;
const FONT_SIZE = 13;
/** No character of the usual fonts is wider on average. */
const CHARACTER = 8;
const GAP = 10;
const ROW = 26;
const BAR = 16;
/** The height of a heading, with the space above it. */
const HEADING = 34;

/** Draws a chart as SVG. */
export function draw({ title, groups }: Chart, theme: Theme): string {
	const { text, ours, others } = themes[theme];
	const bars = groups.flatMap((group) => group.bars);
	const widthOf = (texts: string[]) => Math.max(...texts.map(({ length }) => length)) * CHARACTER;
	const left = widthOf(bars.map(({ name }) => name)) + GAP;
	const right = widthOf(bars.map(({ label }) => label)) + 2 * GAP;
	const scale = (WIDTH - left - right) / Math.max(...bars.map(({ value }) => value));

	let y = HEADING;
	const rows = groups.map((group) => {
		const heading = html`<text class="heading" y="${(y += HEADING) - GAP}">${group.name}</text>`;
		return [heading, ...group.bars.map((bar) => drawBar(bar, (y += ROW) - ROW))].join('\n');
	});

	function drawBar({ name, value, label, isOurs }: Bar, top: number): string {
		const length = value * scale;
		const baseline = top + BAR - 3;
		return html`<text x="${left - GAP}" y="${baseline}" text-anchor="end">${name}</text>
			<rect
				class="${isOurs ? 'ours' : ''}"
				x="${left}"
				y="${top}"
				width="${length.toFixed(1)}"
				height="${BAR}"
				rx="2"
			/>
			<text x="${(left + length + GAP).toFixed(1)}" y="${baseline}">${label}</text>`;
	}

	return html`<svg
		xmlns="http://www.w3.org/2000/svg"
		viewBox="0 0 ${WIDTH} ${y}"
		width="${WIDTH}"
		height="${y}"
		role="img"
		aria-labelledby="title"
	>
		<title id="title">${title}</title>
		<style>
			text {
				font-family:
					system-ui,
					-apple-system,
					'Segoe UI',
					sans-serif;
				font-size: ${FONT_SIZE}px;
				fill: ${text};
			}
			.heading {
				font-weight: 600;
			}
			rect {
				fill: ${others};
			}
			.ours {
				fill: ${ours};
			}
		</style>
		<text class="heading" y="${HEADING - GAP}">${title}</text>
		!${rows.join('\n')}
	</svg>`
		.replaceAll(/^\t+/gm, '')
		.concat('\n');
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { draw, type Theme, themes } from './chart';
import type { Section } from './report';

const README = path.join(__dirname, 'README.md');
const CHARTS = 'charts';

/** The results in the README, between two comments. */
const RESULTS = /(?<=<!-- results -->\n).*(?=<!-- end of the results -->)/s;

/** Writes the results into the README, or into a copy of it in another folder, and draws the charts. */
export function writeResults(folder: string, introduction: string, sections: readonly Section[]): void {
	mkdirSync(path.join(folder, CHARTS), { recursive: true });
	const readme = path.join(folder, 'README.md');
	if (readme !== README) cpSync(README, readme);
	const summary = sections.filter(({ isSummary }) => isSummary);
	const details = sections.filter(({ isSummary }) => !isSummary);
	const written = [...summary, ...details].map((section) => writeSection(section, folder));
	const results = [introduction, ...written];
	const text = readFileSync(readme, 'utf8');
	if (!RESULTS.test(text)) throw new Error(`${readme} has no place for the results`);
	writeFileSync(
		readme,
		text.replace(RESULTS, () => `\n${results.join('\n\n')}\n\n`),
	);
}

/** Draws the chart of a section. Returns the section in Markdown. */
function writeSection({ title, table, chart }: Section, folder: string): string {
	const heading = `### ${title}`;
	if (!chart) return [heading, table].join('\n\n');
	const fileOf = (theme: Theme) => `${CHARTS}/${chart.file}-${theme}.svg`;
	for (const theme of Object.keys(themes) as Theme[]) {
		writeFileSync(path.join(folder, fileOf(theme)), draw(chart, theme));
	}
	// GitHub shows the picture that fits the theme of its page.
	const picture = [
		'<picture>',
		`  <source media="(prefers-color-scheme: dark)" srcset="${fileOf('dark')}">`,
		`  <img alt="${chart.title}" src="${fileOf('light')}">`,
		'</picture>',
	].join('\n');
	return [heading, picture, table].join('\n\n');
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { draw, type Theme, themes } from './chart';
import { duelTable, type Section, targetTable } from './report';

const README = path.join(__dirname, 'README.md');

/** The place of the summary in the README, between two comments. */
const SUMMARY = /(?<=<!-- results -->\n).*(?=<!-- end of the results -->)/s;

/** Writes the summary into the README, or into a copy of it in another folder, and all tables into a second page. */
export async function writeResults(folder: string, versions: string, sections: readonly Section[]): Promise<void> {
	mkdirSync(path.join(folder, 'charts'), { recursive: true });
	const summary = [
		versions,
		"### This node and n8n's HTTP Request node",
		await duelTable(sections.flatMap(({ duels = [] }) => duels)),
		'### Limits',
		await targetTable(sections.flatMap(({ targets = [] }) => targets)),
		...sections.map((section) => drawChart(section, folder)).filter((picture) => picture !== ''),
	].join('\n\n');
	const readme = readFileSync(README, 'utf8');
	if (!SUMMARY.test(readme)) throw new Error(`${README} has no place for the results`);
	const page = readme.replace(SUMMARY, () => `\n${summary}\n\n`);
	writeFileSync(path.join(folder, 'README.md'), page);
	const details = sections.map(({ title, table }) => `## ${title}\n\n${table}`);
	const introduction = `All tables of the [benchmark](README.md). ${versions}`;
	writeFileSync(path.join(folder, 'results.md'), `${['# Results', introduction, ...details].join('\n\n')}\n`);
}

/** Draws the chart of a section, for both themes of GitHub. Returns the picture in Markdown; empty if there is none. */
function drawChart({ chart }: Section, folder: string): string {
	if (!chart) return '';
	const fileOf = (theme: Theme) => `charts/${chart.file}-${theme}.svg`;
	for (const theme of Object.keys(themes) as Theme[]) {
		writeFileSync(path.join(folder, fileOf(theme)), draw(chart, theme));
	}
	return [
		'<picture>',
		`  <source media="(prefers-color-scheme: dark)" srcset="${fileOf('dark')}">`,
		`  <img alt="${chart.title}" src="${fileOf('light')}">`,
		'</picture>',
	].join('\n');
}

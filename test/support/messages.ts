import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';

// Property tests then see the same messages in each run.
if (process.env.MESSAGES) fc.configureGlobal({ seed: 1 });

const INTEGRATION = path.resolve(__dirname, '../integration');

/** Every message that the integration tests see, sorted. */
export const MESSAGES_FILE = path.join(INTEGRATION, 'messages.txt');

/** What varies from run to run, or from item to item. */
const VARIABLE_PARTS: ReadonlyArray<[pattern: RegExp, shown: string]> = [
	[/"(?:[^"\\]|\\.)*"/gs, '"…"'],
	[/ – (?:item \d|\d+ of ).*/s, ''],
	[/^(?:Item \d+ of \d+|\d+ of \d+ items) failed[^.]*\. Item \d+: /, ''],
	[/(?:Items are|Failed: items [^:]*,) counted from 0\./g, '(report)'],
	[/Unknown outcome: items? [\d–, ]+/g, 'Unknown outcome: items …'],
	[/\b[A-Z][a-z]+, \d+ [A-Z][a-z]+, \d\d:\d\d \([^)]*\)/g, '(time)'],
	[/\bthis (?:hour|week|month)\b|\btoday\b/g, '(period)'],
	[/\d+/g, '#'],
];

function normalize(text: string): string {
	return VARIABLE_PARTS.reduce((result, [pattern, shown]) => result.replace(pattern, shown), text).trim();
}

/** Marks a message in the file that comes without a description that says what to do. */
export const WITHOUT_ADVICE = ' (no advice)';

/** What a description may contain besides advice. */
const FACTS = /The service said: "…"\.?|Attempts(?: to get a token)?: #\.|\(report\)/g;

/** Between a report and what follows from it, which depends on the other items, and so on chance where many fail. */
const AFTER_REPORT = /(?<=\(report\)) /;

/** Notes the message and the description of an error, if MESSAGES is set. */
export function recordError({ message, description }: { message: string; description?: string | null }): void {
	const advice = normalize(description ?? '');
	const isAdvised = advice.replace(FACTS, '').trim() !== '';
	recordLines([normalize(message) + (isAdvised ? '' : WITHOUT_ADVICE), ...advice.split(AFTER_REPORT)]);
}

/** Notes other texts that users read, if MESSAGES is set. */
export function recordMessages(...texts: unknown[]): void {
	recordLines(texts.filter((text) => typeof text === 'string').map(normalize));
}

function recordLines(texts: readonly string[]): void {
	const folder = messagesFolder();
	const file = path.basename(expect.getState().testPath ?? '');
	const lines = texts.filter(Boolean);
	if (folder && path.dirname(expect.getState().testPath ?? '') === INTEGRATION) {
		appendFileSync(path.join(folder, `${file}.txt`), lines.map((line) => `${line.replace(/\s+/g, ' ')}\n`).join(''));
	}
}

/** The folder for the messages of this run; undefined if they are not compared. */
function messagesFolder(): string | undefined {
	const run = process.env.PROFILE_PAGE_RUN_FOLDER;
	if (!run || !process.env.MESSAGES) return undefined;
	const folder = path.join(run, 'messages');
	mkdirSync(folder, { recursive: true });
	return folder;
}

/**
 * Compares what the integration tests have seen with the file, or writes it with UPDATE=1. Does nothing unless all of them
 * have run.
 *
 * @throws Error that lists the new messages and those that were not seen
 */
export function checkMessages(): void {
	const folder = messagesFolder();
	const expected = readdirSync(INTEGRATION)
		.filter((name) => name.endsWith('.test.ts'))
		.filter((name) => readFileSync(path.join(INTEGRATION, name), 'utf8').includes('useHarness('));
	if (!folder || expected.some((name) => !existsSync(path.join(folder, `${name}.txt`)))) return;
	const seen = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
	const messages = [...new Set(seen.filter(Boolean))].sort();
	if (process.env.UPDATE) writeFileSync(MESSAGES_FILE, `${messages.join('\n')}\n`);
	const known = readFileSync(MESSAGES_FILE, 'utf8').split('\n').filter(Boolean);
	const added = messages.filter((message) => !known.includes(message));
	const missing = known.filter((message) => !messages.includes(message));
	if (added.length + missing.length === 0) return;
	const list = [...missing.map((message) => `- ${message}`), ...added.map((message) => `+ ${message}`)].join('\n');
	throw new Error(`Messages differ from test/integration/messages.txt (UPDATE=1 writes it):\n${list}`);
}

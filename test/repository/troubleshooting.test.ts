import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '../..');

/** The properties, variables and functions whose texts are not messages. */
const OTHER_OWNERS =
	/^(action|active|advice|description|details|displayName|FETCH|header|hint|inactive|name|placeholder|purpose|subject)$/;

/** Other texts that are not messages, or only the beginning of one. */
const OTHER_TEXTS = [
	'There is no access token for this app',
	'No access token: …',
	'may be applied',
	'cccc, d MMMM, HH:mm (z)',
	'…… (counted from 0).',
];

/** Returns a text of the source, with "…" for its variable parts. */
function readText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Returns the name of the property, variable or function that a text belongs to. */
function ownerOf({ parent }: ts.Node): string {
	if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) {
		return parent.name.getText();
	}
	if (ts.isFunctionDeclaration(parent)) return parent.name?.text ?? '';
	if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression.getText();
	return ts.isSourceFile(parent) ? '' : ownerOf(parent);
}

/** Returns the message in a text: all of it, or its first sentence if advice follows. */
function toMessage(whole: string, owner: string, warnings: readonly string[]): string[] {
	if (OTHER_OWNERS.test(owner) || OTHER_TEXTS.includes(whole)) return [];
	// What follows has a heading of its own.
	const text = whole.replace(/: …$/, '');
	// A message in a variable, and what follows it.
	if (/^… [A-Z]/.test(text)) return [];
	const [message = ''] = text.split(/\.(?: |$)/);
	// Capitalized words are the names of fields.
	const words = message.match(/\b[a-z]{2,}\b/g) ?? [];
	if (words.length < 2 || !/^\S+ \S+ \S/.test(message)) return [];
	// What follows the name of a field, or what failed, starts in lower case.
	if (/^[a-z"…]/.test(message)) return [message];
	// Other full sentences are advice.
	const isHint = /^(repetition|shown\.push|warning)$/.test(owner) || warnings.includes(owner);
	return /^[A-Z]/.test(message) && (message === text || isHint) ? [message] : [];
}

/** Returns the names of the constants in statements about warnings. */
function findWarnings(source: string): string[] {
	const statements = source.match(/\bwarnings = [^;]*/g) ?? [];
	return statements.flatMap((statement) => statement.match(/\b[A-Z_]{2,}\b/g) ?? []);
}

function findMessages(file: string): string[] {
	const collect = (node: ts.Node): string[] => {
		const text = readText(node);
		const found = text === undefined ? [] : toMessage(text, ownerOf(node), warnings);
		node.forEachChild((child) => void found.push(...collect(child)));
		return found;
	};
	const source = readFileSync(file, 'utf8');
	const warnings = findWarnings(source);
	return collect(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
}

const messages = ['credentials', 'nodes']
	.flatMap((folder) => ts.sys.readDirectory(path.join(ROOT, folder), ['.ts']))
	.flatMap(findMessages);

const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const [ownMessages = ''] = page.split('\n## Messages of n8n\n');
const headings = [...ownMessages.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);

function toPattern(message: string): string {
	return message.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/…/g, '.*');
}

test('docs/troubleshooting.md has a heading for each message of the shipped code', () => {
	const hasHeading = (message: string) => headings.some((heading) => new RegExp(toPattern(message), 'i').test(heading));
	expect(messages.filter((message) => !hasHeading(message))).toEqual([]);
});

test('docs/troubleshooting.md has no heading that is not a message of the shipped code', () => {
	const isMessage = (heading: string) =>
		messages.some((message) =>
			new RegExp(`^(.*: |the service )?${toPattern(message)}( \\(.*\\))?$`, 'i').test(heading),
		);
	expect(headings.filter((heading) => !isMessage(heading))).toEqual([]);
});

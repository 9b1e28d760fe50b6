/**
 * Checks what npm needs to publish with provenance: `node scripts/checkProvenance.mjs`. Reports the
 * repository that only the owner can set, and fails if anything else is missing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '..');
const read = (name) => readFileSync(path.join(root, name), 'utf8');

const ON_GITHUB = /^git\+https:\/\/github\.com\/[\w.-]+\/[\w.-]+\.git$/;

/** All that the job publish does: it runs no code of the repository or its dependencies. */
const STEPS = [
	{ uses: 'actions/setup-node', with: { 'node-version': '24', 'package-manager-cache': false } },
	{ uses: 'actions/download-artifact', with: { 'artifact-ids': '${{ needs.pack.outputs.artifact-id }}' } },
	{ run: 'npm publish ./*.tgz --provenance --access public' },
];

const { repository } = JSON.parse(read('package.json'));
const { jobs } = parse(read('.github/workflows/publish.yml'));
const { permissions, environment, needs, steps } = jobs.publish;
const isPackedLast = [jobs.pack.needs].flat().includes('checks');
const withoutCommit = (step) => (step.uses ? { ...step, uses: step.uses.split('@')[0] } : step);

const requirements = [
	{
		name: 'package.json: repository.url is a repository on GitHub',
		isMet: ON_GITHUB.test(repository.url),
		isForOwner: true,
	},
	{
		name: 'publish.yml: the job publish has the permission id-token: write',
		isMet: permissions?.['id-token'] === 'write',
	},
	{
		name: 'publish.yml: the job waits for an approval in the environment npm',
		isMet: environment === 'npm',
	},
	{
		name: 'publish.yml: the job publishes what was checked and packed, with provenance, and does nothing else',
		isMet: needs.includes('checks') && needs.includes('pack') && isDeepStrictEqual(steps.map(withoutCommit), STEPS),
	},
	{
		name: 'publish.yml: no code of the checks can replace the package, which is packed after them',
		isMet: isPackedLast,
	},
];

for (const { name, isMet, isForOwner } of requirements) {
	const missing = isForOwner ? 'for the owner to set, see RELEASING.md' : 'missing';
	console.log(isMet ? `✓ ${name}` : `✗ ${name}: ${missing}`);
	if (!isMet && !isForOwner) process.exitCode = 1;
}

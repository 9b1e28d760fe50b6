import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { loadPackage, stopEngine } from '../../runner';

const SCRIPT = path.resolve(__dirname, '../../scripts/lintDescriptions.mjs');

interface Finding {
	file: string;
	/** Null for code that ESLint cannot read. */
	rule: string | null;
	message: string;
	/** The first line of what was found. */
	code: string;
}

/** What stays as it is, with the reason. */
const ACCEPTED: Array<Omit<Finding, 'message'> & { reason: string }> = [
	{
		file: 'ProfilePage.node.ts',
		rule: 'n8n-nodes-base/node-param-resource-with-plural-option',
		code: "{ name: 'Blocks', value: 'blocks', description: 'What a page consists of, such as titles and icons' },",
		reason: 'The resources have the names of the groups in the API documentation. The rule reports the first plural.',
	},
	...['Batch Interval (ms)', 'Timeout (ms)'].map((name) => ({
		file: 'ProfilePage.node.ts',
		rule: 'n8n-nodes-base/node-param-display-name-miscased',
		code: `displayName: '${name}',`,
		reason: 'The symbol of milliseconds has small letters, as in the HTTP Request node of n8n. "Ms" would be wrong.',
	})),
];

const toText = ({ file, rule, code }: Omit<Finding, 'message'>) => `${file}: ${rule}: ${code}`;

beforeAll(async () => {
	// Fails if the build is out of date.
	await loadPackage();
});
afterAll(() => stopEngine());

test("n8n's lint rules find nothing new in the nodes and credentials as they are built at run time", () => {
	const findings = JSON.parse(execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8' })) as Finding[];
	expect([...new Set(findings.map(toText))].sort()).toEqual(ACCEPTED.map(toText).sort());
}, 60_000);

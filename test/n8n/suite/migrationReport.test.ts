import { useCredential } from '../../../runner/useCredential';
import { useN8n } from '../support/harness';
import { newSecret } from '../support/rest';
import { chain, exampleFiles, manualTrigger, type Node, readExample, useClientToken } from '../support/workflows';

/** A rule of n8n's report that applies to this n8n. */
interface Finding {
	ruleId: string;
	nbAffectedWorkflows?: number;
}

interface Report {
	totalWorkflows: number;
	report: { instanceResults: Finding[]; workflowResults: Finding[] };
}

const harness = useN8n('n8n-migration-report');

let before: Report;
beforeAll(async () => {
	const { n8n, sandbox } = harness;
	before = await readReport();
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const clientToken = await n8n.rest.addClientToken(newSecret());
	for (const file of exampleFiles) {
		const example = useCredential(readExample(file), 'profilePageApi', credential);
		await n8n.rest.createWorkflow(useClientToken(example, clientToken));
	}
});

async function readReport(): Promise<Report> {
	const path = '/breaking-changes/report/refresh?version=v3';
	return await harness.n8n.rest.send<Report>('POST', path);
}

test("n8n's migration report for n8n 3 lists none of the examples, and nothing else because of them", async () => {
	const { totalWorkflows, report } = await readReport();
	expect(totalWorkflows).toBe(exampleFiles.length);
	expect(report.workflowResults).toEqual([]);
	expect(report.instanceResults).toEqual(before.report.instanceResults);
});

test("n8n's migration report for n8n 3 says that unverified packages stop loading", () => {
	const ids = before.report.instanceResults.map(({ ruleId }) => ruleId);
	expect(ids).toContain('unverified-packages-v3');
});

test("n8n's migration report for n8n 3 lists a workflow with a mode that n8n 3 removes", async () => {
	const perItem: Node = {
		name: 'Execute Sub-workflow',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { mode: 'each' },
	};
	await harness.n8n.rest.createWorkflow(chain('Per item', manualTrigger, perItem));
	const { report } = await readReport();
	expect(report.workflowResults).toMatchObject([{ ruleId: 'execute-workflow-each-mode-v3', nbAffectedWorkflows: 1 }]);
});

import type { Injection } from '../../../sandbox/faults';
import type { Link } from '../../../sandbox/links';
import type { Sandbox } from '../../../sandbox/server';
import { firstOutput } from '../support/n8n';
import type { Rest, Stored, StoredExecution } from '../support/rest';
import { type SoakFault, soakFaults, type WorkflowName } from './faults';
import type { MemoryTrend } from './memory';
import { ANNOUNCE } from './workflows';

/** What the service and n8n know after the soak. */
export interface Soaked {
	/** How long the workflows were active. */
	seconds: number;
	/** By workflow. */
	executions: Record<WorkflowName, number>;
	failures: Failure[];
	/** Token requests that no fault met. */
	grants: number;
	injections: readonly Injection[];
	/** The links that the service created. */
	created: readonly Link[];
	/** The IDs of the links that the trigger emitted. */
	emitted: number[];
	memory: MemoryTrend;
}

/** A failed execution. */
export interface Failure {
	workflow: WorkflowName;
	message: string;
	execution: StoredExecution;
	/** The fault that explains it, if there is one. */
	cause?: SoakFault;
}

interface Sources {
	rest: Rest;
	sandbox: Sandbox;
	schedule: Stored;
	trigger: Stored;
	created: readonly Link[];
	memory: MemoryTrend;
	seconds: number;
}

/** Reads from n8n what became of the executions. */
export async function collect(sources: Sources): Promise<Soaked> {
	const { rest, sandbox, created, memory, seconds } = sources;
	const { injections } = sandbox.faults;
	const scheduled = await rest.allExecutions(sources.schedule.id);
	const triggered = await rest.allExecutions(sources.trigger.id);
	const failures = [
		...(await readFailures(rest, 'schedule', scheduled, injections)),
		...(await readFailures(rest, 'trigger', triggered, injections)),
	];
	const failedGrants = injections.filter(({ rule }) => rule.path === '/token').length;
	return {
		seconds,
		executions: { schedule: scheduled.length, trigger: triggered.length },
		failures,
		grants: sandbox.recorder.grants - failedGrants,
		injections,
		created,
		emitted: await readEmitted(rest, triggered),
		memory,
	};
}

async function readFailures(
	rest: Rest,
	workflow: WorkflowName,
	executions: readonly StoredExecution[],
	injections: readonly Injection[],
): Promise<Failure[]> {
	const failures: Failure[] = [];
	for (const execution of executions.filter(({ status }) => status !== 'success')) {
		const { error } = (await rest.executionData(execution.id)).resultData;
		const message = error?.message ?? `no error; the status is ${execution.status}`;
		const cause = findCause(workflow, execution, injections);
		failures.push({ workflow, message, execution, cause });
	}
	return failures;
}

/** A failed poll becomes an execution only after its attempts. In milliseconds. */
const POLL_DURATION = 5000;

/** Returns the fault that an execution met and that the package cannot recover from. */
function findCause(
	workflow: WorkflowName,
	{ createdAt, startedAt, stoppedAt }: StoredExecution,
	injections: readonly Injection[],
): SoakFault | undefined {
	const start = Date.parse(startedAt ?? createdAt) - (workflow === 'trigger' ? POLL_DURATION : 0);
	const end = stoppedAt ? Date.parse(stoppedAt) : Infinity;
	const met = injections.filter(({ time }) => time >= start && time <= end);
	return soakFaults.find(
		({ rule, mayFail }) => mayFail.includes(workflow) && met.some((injection) => injection.rule === rule),
	);
}

async function readEmitted(rest: Rest, executions: readonly StoredExecution[]): Promise<number[]> {
	const emitted: number[] = [];
	for (const { id } of executions.filter(({ status }) => status === 'success')) {
		const { runData } = (await rest.executionData(id)).resultData;
		emitted.push(...firstOutput(runData, ANNOUNCE).map(({ json }) => Number(json.link_id)));
	}
	return emitted;
}

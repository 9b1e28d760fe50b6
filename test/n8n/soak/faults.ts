import { type Fault, type FaultRule, statusFault } from '../../../sandbox/faults';

/** The workflows of the soak. */
export type WorkflowName = 'schedule' | 'trigger';

/** A fault that the soak injects, and what the package makes of it. */
export interface SoakFault {
	/** Names it in the report. */
	name: string;
	rule: FaultRule & { fault: Fault; times: number };
	/** The workflows in which an execution may fail; none if the package recovers from the fault. */
	mayFail: readonly WorkflowName[];
}

const overloaded = statusFault(503);
const limited = statusFault(429, 'Too many requests', { 'retry-after': '1' });

/** Attempts for one request of the node: the first, and two retries by default. */
const NODE_ATTEMPTS = 3;
/** Attempts for one poll: the first, and one retry. */
const POLL_ATTEMPTS = 2;

const fault = (
	name: string,
	path: string,
	kind: Fault,
	{ times = 1, mayFail = [] }: { times?: number; mayFail?: readonly WorkflowName[] } = {},
): SoakFault => ({ name, rule: { path, fault: kind, times }, mayFail });

/** In the order in which they are injected, again and again. */
export const soakFaults: readonly SoakFault[] = [
	fault('Reorder: 503', '/sort', overloaded),
	fault('List: 429', '/lnk/list', limited),
	fault('Token: 503', '/token', overloaded),
	fault('Reorder: 500', '/sort', statusFault(500), { mayFail: ['schedule'] }),
	fault('Create: 429', '/lnk/add', limited),
	fault('List: connection reset', '/lnk/list', 'reset'),
	// The link is created, but nothing says so. It must not be created again.
	fault('Create: response lost', '/lnk/add', 'lost', { mayFail: ['schedule'] }),
	fault('Token: connection reset', '/token', 'reset'),
	fault('List: 503, also for the retry', '/lnk/list', overloaded, {
		times: POLL_ATTEMPTS,
		mayFail: ['trigger'],
	}),
	fault('Reorder: response lost', '/sort', 'lost'),
	fault('Create: response cut off', '/lnk/add', 'cut', { mayFail: ['schedule'] }),
	fault('Reorder: 503, also for the retries', '/sort', overloaded, {
		times: NODE_ATTEMPTS,
		mayFail: ['schedule'],
	}),
	// Both workflows wait for the same token request.
	fault('Token: 503, also for the retries', '/token', overloaded, {
		times: NODE_ATTEMPTS,
		mayFail: ['schedule', 'trigger'],
	}),
	fault('List: response cut off', '/lnk/list', 'cut'),
];

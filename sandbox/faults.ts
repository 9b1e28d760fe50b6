import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyInstance, FastifyReply } from 'fastify';

/** An answer that the service gives in place of its own. */
export interface CannedAnswer {
	status: number;
	headers?: Record<string, string>;
	body?: string;
}

/** What goes wrong: an answer of another kind, a connection that breaks, or none at all. */
export type Fault = CannedAnswer | 'reset' | 'hang';

export interface FaultRule {
	fault: Fault;
	/** The end of the paths that it strikes, such as "/sort"; all paths of the API if left out. */
	path?: string;
	/** How many requests it strikes; all if left out. */
	times?: number;
}

const HTML =
	'<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Nothing here</h1></body></html>';

/** The faults that have a name, for the command line. */
export const namedFaults: Readonly<Record<string, Fault>> = {
	reset: 'reset',
	hang: 'hang',
	html: { status: 200, headers: { 'content-type': 'text/html' }, body: HTML },
	malformed: {
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: '{"status": true, "data": {"blo',
	},
};

/** An answer of any status in the service's own form. */
export function statusFault(status: number, message = `Injected ${status}`): CannedAnswer {
	return {
		status,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ status: false, errors: [message] }),
	};
}

/** Lets requests of the API fail or wait, before the service has done anything for them. */
export class Faults {
	#rules: Array<FaultRule & { left: number }> = [];

	/** @param latency how long every answer waits, in milliseconds */
	constructor(public latency = 0) {}

	add(rule: FaultRule): void {
		this.#rules.push({ ...rule, left: rule.times ?? Infinity });
	}

	clear(): void {
		this.#rules = [];
	}

	register(server: FastifyInstance): void {
		server.addHook('preHandler', async (request, reply) => {
			if (!request.url.startsWith('/oauth/')) return;
			if (this.latency > 0) await wait(this.latency);
			const fault = this.#take(request.url);
			if (fault) await strike(fault, reply);
		});
	}

	#take(url: string): Fault | undefined {
		const rule = this.#rules.find(({ path, left }) => left > 0 && url.endsWith(path ?? ''));
		if (!rule) return undefined;
		rule.left -= 1;
		return rule.fault;
	}
}

async function strike(fault: Fault, reply: FastifyReply): Promise<void> {
	if (fault === 'reset') {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	} else if (fault === 'hang') {
		// The connection stays open and silent until the client or the sandbox ends it.
		reply.hijack();
	} else {
		await reply
			.status(fault.status)
			.headers(fault.headers ?? {})
			.send(fault.body ?? '');
	}
}

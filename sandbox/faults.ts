import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { FastifyInstance, FastifyReply } from 'fastify';

import { fieldsOf } from './form';

/** An answer that the service gives in place of its own. */
export interface CannedAnswer {
	status: number;
	headers?: Record<string, string>;
	/** Empty if left out. */
	body?: string | Buffer;
}

/** What goes wrong with a connection. */
type Breakage =
	/** It is reset before the service has done anything. */
	| 'reset'
	/** It stays silent. */
	| 'hang'
	/** The answer comes drop by drop, and never ends. */
	| 'trickle'
	/** The service does what it is asked to, and the connection is reset before the answer. */
	| 'lost'
	/** The same, and the connection ends in the middle of the answer. */
	| 'cut';

/** What goes wrong: an answer of another kind, or a connection that breaks. */
export type Fault = CannedAnswer | Breakage;

export interface FaultRule {
	/** If left out, the service answers as usual, after the `latency`. */
	fault?: Fault;
	/** How long the answer is delayed, in milliseconds, in addition to the latency of all answers. */
	latency?: number;
	/**
	 * The end of the paths that it strikes, such as "/sort", whatever their query; all paths of the
	 * API if left out.
	 */
	path?: string;
	/** The page that it strikes; all, and what is about no page, if left out. */
	page?: string;
	/** How many requests it strikes; all if left out. */
	times?: number;
}

/** How often a drop of an answer comes that trickles in, in milliseconds. */
const DRIP_INTERVAL = 100;

const HTML =
	'<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Nothing here</h1></body></html>';

/** The numbers keep the JSON from being compressed to a few bytes, all of them at the start. */
const gzippedJson = gzipSync(
	JSON.stringify({ status: true, data: Array.from({ length: 500 }, (_, index) => index ** 2) }),
);

function gzipAnswer(body: Buffer): CannedAnswer {
	const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
	return { status: 200, headers, body };
}

function corrupted(gzipped: Buffer): Buffer {
	const middle = Math.floor(gzipped.length / 2);
	return Buffer.from(gzipped).fill(0xff, middle, middle + 16);
}

/** The faults that have a name, for the command line. */
export const namedFaults: Readonly<Record<string, Fault>> = {
	reset: 'reset',
	hang: 'hang',
	trickle: 'trickle',
	lost: 'lost',
	cut: 'cut',
	html: { status: 200, headers: { 'content-type': 'text/html' }, body: HTML },
	malformed: {
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: '{"status": true, "data": {"blo',
	},
	empty: { status: 200 },
	/** A gzip stream with wrong bytes in the middle. */
	corrupt: gzipAnswer(corrupted(gzippedJson)),
	/** A gzip stream that ends halfway; the HTTP response itself is complete. */
	truncated: gzipAnswer(gzippedJson.subarray(0, gzippedJson.length / 2)),
};

/** An answer of any status in the service's own form. */
export function statusFault(
	status: number,
	message = `Injected ${status}`,
	headers: Record<string, string> = {},
): CannedAnswer {
	return jsonAnswer({ status: false, errors: [message] }, { status, headers });
}

/** An answer of a service that answers otherwise than this one. */
export function jsonAnswer(
	body: unknown,
	{ status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): CannedAnswer {
	return {
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	};
}

/** Lets requests of the API fail or wait. */
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
			const [path = ''] = request.url.split('?');
			const rule = this.#take(path, fieldsOf(request.body).page_id);
			if (rule?.latency) await wait(rule.latency);
			if (rule?.fault) await strike(rule.fault, reply);
		});
	}

	/** The first rule that applies to a request; one of the times that it applies is then used up. */
	#take(calledPath: string, pageId: unknown): FaultRule | undefined {
		const rule = this.#rules.find(
			({ path = '', page, left }) =>
				left > 0 && calledPath.endsWith(path) && (page === undefined || page === pageId),
		);
		if (rule) rule.left -= 1;
		return rule;
	}
}

async function strike(fault: Fault, reply: FastifyReply): Promise<void> {
	if (typeof fault === 'string') breakages[fault](reply);
	else {
		await reply
			.status(fault.status)
			.headers(fault.headers ?? {})
			.send(fault.body ?? '');
	}
}

const breakages: Readonly<Record<Breakage, (reply: FastifyReply) => void>> = {
	reset(reply) {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	},
	hang(reply) {
		// The connection stays open and silent until the client or the sandbox ends it.
		reply.hijack();
	},
	trickle(reply) {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => reply.raw.write(' '), DRIP_INTERVAL);
		reply.raw.on('close', () => clearInterval(timer));
	},
	lost({ raw }) {
		raw.writeHead = () => raw;
		raw.end = () => {
			raw.socket?.resetAndDestroy();
			return raw;
		};
	},
	cut({ raw }) {
		raw.end = (body: unknown) => {
			const text = String(body);
			raw.write(text.slice(0, text.length / 2), () => raw.socket?.end());
			return raw;
		};
	},
};

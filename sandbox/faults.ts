import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { formOf, queryOf } from './form';

/** A response that replaces the service's own. */
export interface CannedResponse {
	status: number;
	headers?: Record<string, string>;
	/** Empty by default. */
	body?: string | Buffer;
}

type ConnectionFault =
	/** The connection is reset before the request is processed. */
	| 'reset'
	/** No response. */
	| 'hang'
	/** The response arrives byte by byte and never ends. */
	| 'trickle'
	/** The request is processed, then the connection is reset instead of a response. */
	| 'lost'
	/** The request is processed, then the connection closes halfway through the response. */
	| 'cut';

export type Fault = CannedResponse | ConnectionFault;

export interface FaultRule {
	/** If omitted, the rule only adds its `latency`. */
	fault?: Fault;
	/** Delay of the response in milliseconds, on top of the latency of all responses. */
	latency?: number;
	/** The ending of the paths to match, without their query, such as "/sort"; all paths by default. */
	path?: string;
	/** The page ID to match, in a form or a query; by default, the rule also matches requests without one. */
	page?: string;
	/** Whether the rule matches a request now; it does by default. */
	when?: (request: FastifyRequest) => boolean;
	/** Number of requests to match; unlimited by default. */
	times?: number;
}

/** In milliseconds. */
const TRICKLE_INTERVAL = 100;

/** About 1,400 bytes. Numbers do not compress well, so that those in the middle are data. */
const gzipped = gzipSync(JSON.stringify({ status: true, data: Array.from({ length: 500 }, (_, index) => index ** 2) }));

function gzipResponse(body: Buffer): CannedResponse {
	return { status: 200, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body };
}

/** Faults that are more than a status, by name. */
export const namedFaults: Readonly<Record<string, Fault>> = {
	reset: 'reset',
	hang: 'hang',
	trickle: 'trickle',
	lost: 'lost',
	cut: 'cut',
	html: {
		status: 200,
		headers: { 'content-type': 'text/html' },
		body: '<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Nothing here</h1></body></html>',
	},
	empty: { status: 200 },
	/** A gzip stream with damaged bytes in the middle. */
	corrupt: gzipResponse(Buffer.from(gzipped).fill(0xff, 700, 716)),
	/** A gzip stream that ends halfway; the HTTP response itself is complete. */
	truncated: gzipResponse(gzipped.subarray(0, 700)),
};

/** Returns an error response with this status in the service's own format. */
export function statusFault(
	status: number,
	message = `Injected ${status}`,
	headers: Record<string, string> = {},
): CannedResponse {
	return jsonResponse({ status: false, errors: [message] }, { status, headers });
}

export function jsonResponse(
	body: unknown,
	{ status = 200, headers = {} }: Partial<CannedResponse> = {},
): CannedResponse {
	return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Returns the fault of a kind: the name of a fault, or an HTTP status; undefined for others. */
export function faultOf(kind: string): Fault | undefined {
	if (Object.hasOwn(namedFaults, kind)) return namedFaults[kind];
	return /^[2-5]\d\d$/.test(kind) ? statusFault(Number(kind)) : undefined;
}

/** Makes requests to the API fail or wait. */
export class Faults {
	#rules: Array<{ rule: FaultRule; left: number }> = [];

	/** @param latency delay of every response, in milliseconds */
	constructor(public latency = 0) {}

	/** The number of requests that will still fail. */
	get waiting(): number {
		return this.#rules.reduce((sum, { left }) => sum + left, 0);
	}

	add(rule: FaultRule): void {
		this.#rules.push({ rule, left: rule.times ?? Infinity });
	}

	clear(): void {
		this.#rules = [];
	}

	register(server: FastifyInstance): void {
		server.addHook('preHandler', async (request, reply) => {
			if (!request.url.startsWith('/oauth/')) return;
			if (this.latency > 0) await wait(this.latency);
			const rule = this.#take(request);
			if (rule?.latency) await wait(rule.latency);
			if (rule?.fault) await inject(rule.fault, reply);
		});
	}

	/** Returns the first rule that matches a request, and counts the match. */
	#take(request: FastifyRequest): FaultRule | undefined {
		const [requestPath = ''] = request.url.split('?');
		const { page_id: pageId } = { ...queryOf(request), ...formOf(request) };
		const match = this.#rules.find(
			({ rule: { path = '', page = pageId, when }, left }) =>
				left > 0 && requestPath.endsWith(path) && page === pageId && when?.(request) !== false,
		);
		if (match) match.left -= 1;
		return match?.rule;
	}
}

async function inject(fault: Fault, reply: FastifyReply): Promise<void> {
	if (typeof fault === 'string') {
		connectionFaults[fault](reply);
		return;
	}
	const { status, headers = {}, body = '' } = fault;
	await reply.status(status).headers(headers).send(body);
}

const connectionFaults: Readonly<Record<ConnectionFault, (reply: FastifyReply) => void>> = {
	reset(reply) {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	},
	hang(reply) {
		// The connection stays open until the client or the sandbox closes it.
		reply.hijack();
	},
	trickle(reply) {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => reply.raw.write(' '), TRICKLE_INTERVAL);
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

import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { fieldsOf } from './form';

/** A request as received. */
export interface RecordedRequest {
	/** When it arrived, in milliseconds since 1970. */
	time: number;
	method: string;
	/** The path with its query. */
	url: string;
	headers: IncomingHttpHeaders;
	/** The raw body; empty if there was none. */
	body: string;
	/** Undefined while the request is in flight, and if no response began. */
	status?: number;
	/** Undefined while the request is in flight; in milliseconds. */
	duration?: number;
}

/** How many characters of requests are kept: those of thousands of calls. */
const CAPACITY = 16 * 1024 * 1024;

/**
 * Records API calls and token requests, and how many calls were in flight at once. Rejected requests are
 * included, except those of other sites or for another host, and those whose body cannot be read. It drops the oldest
 * requests rather than filling the memory.
 */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly #inFlight = new Map<string, FastifyRequest>();
	#mostInFlight = 0;
	#hasOverlap = false;
	/** In characters. */
	#size = 0;

	/** The number of API calls in flight now. */
	get inFlight(): number {
		return this.#inFlight.size;
	}

	/** The highest number of API calls in flight at once. */
	get mostInFlight(): number {
		return this.#mostInFlight;
	}

	/** Whether two calls that change the same page or link were ever in flight at once. */
	get hasOverlap(): boolean {
		return this.#hasOverlap;
	}

	reset(): void {
		this.requests.length = 0;
		this.#size = 0;
		this.#mostInFlight = 0;
		this.#hasOverlap = false;
	}

	register(server: FastifyInstance): void {
		server.addHook('preValidation', (request, reply, done) => {
			if (request.url.startsWith('/oauth/')) this.#add(request, reply);
			done();
		});
		server.addHook('preHandler', (request, reply, done) => {
			if (request.url.startsWith('/oauth/v1/')) this.#track(request, reply);
			done();
		});
	}

	#add({ method, url, headers, rawBody }: FastifyRequest, { raw }: FastifyReply): void {
		const start = performance.now();
		const recorded: RecordedRequest = { time: Date.now(), method, url, headers, body: rawBody?.toString() ?? '' };
		raw.once('close', () => {
			if (raw.headersSent) recorded.status = raw.statusCode;
			recorded.duration = performance.now() - start;
		});
		this.requests.push(recorded);
		this.#size += sizeOf(recorded);
		while (this.#size > CAPACITY) {
			const [oldest = recorded] = this.requests.splice(0, 1);
			this.#size -= sizeOf(oldest);
		}
	}

	/** Counts a call as in flight until its response or its connection ends. */
	#track(request: FastifyRequest, reply: FastifyReply): void {
		const others = [...this.#inFlight.values()];
		if (others.some(({ body }) => haveSameTarget(body, request.body))) this.#hasOverlap = true;
		this.#inFlight.set(request.id, request);
		this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight.size);
		reply.raw.once('close', () => this.#inFlight.delete(request.id));
	}

	/** The number of token requests. */
	get grants(): number {
		return this.requests.filter(({ url }) => url === '/oauth/token').length;
	}

	/** All requests except token requests. */
	get calls(): RecordedRequest[] {
		return this.requests.filter(({ url }) => url !== '/oauth/token');
	}

	/** The form fields of each call. */
	get forms(): Array<Record<string, string>> {
		return this.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
	}
}

function sizeOf({ url, headers, body }: RecordedRequest): number {
	return url.length + JSON.stringify(headers).length + body.length;
}

/** The fields that identify what a call changes. */
const TARGET_FIELDS = ['page_id', 'link_id'];

function haveSameTarget(body: unknown, otherBody: unknown): boolean {
	const [form, other] = [fieldsOf(body), fieldsOf(otherBody)];
	return TARGET_FIELDS.some((name) => form[name] !== undefined && form[name] === other[name]);
}

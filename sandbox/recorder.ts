import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { formOf } from './form';

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

/** How many requests are kept: the latest. */
const CAPACITY = 20_000;

/**
 * Records API calls and token requests, and how many calls were in flight at once. Rejected requests are
 * included, except those of other sites or for another host, and those whose body cannot be read.
 */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	/** The highest number of API calls in flight at once. */
	mostInFlight = 0;
	/** Whether two calls that change the same page or link were ever in flight at once. */
	hasOverlap = false;
	/** By the ID of the request, the page or link that the call changes. */
	readonly #inFlight = new Map<string, unknown>();

	/** The number of API calls in flight now. */
	get inFlight(): number {
		return this.#inFlight.size;
	}

	/** The number of token requests. */
	get grants(): number {
		return this.requests.length - this.calls.length;
	}

	/** All requests except token requests. */
	get calls(): RecordedRequest[] {
		return this.requests.filter(({ url }) => url !== '/oauth/token');
	}

	/** The form fields of each call. */
	get forms(): Array<Record<string, string>> {
		return this.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
	}

	reset(): void {
		this.requests.length = 0;
		this.mostInFlight = 0;
		this.hasOverlap = false;
	}

	register(server: FastifyInstance): void {
		server.addHook('preValidation', (request, reply, done) => {
			if (request.url.startsWith('/oauth/')) this.#add(request, reply);
			if (request.url.startsWith('/oauth/v1/')) this.#track(request, reply);
			done();
		});
	}

	#add({ method, url, headers, body }: FastifyRequest, { raw }: FastifyReply): void {
		const start = performance.now();
		const text = typeof body === 'string' ? body : '';
		const recorded: RecordedRequest = { time: Date.now(), method, url, headers, body: text };
		raw.once('close', () => {
			if (raw.headersSent) recorded.status = raw.statusCode;
			recorded.duration = performance.now() - start;
		});
		this.requests.push(recorded);
		if (this.requests.length > CAPACITY) this.requests.shift();
	}

	/** Counts a call as in flight until its response or its connection ends. */
	#track(request: FastifyRequest, reply: FastifyReply): void {
		const { page_id: page, link_id: target = page } = formOf(request);
		if (target !== undefined && [...this.#inFlight.values()].includes(target)) this.hasOverlap = true;
		this.#inFlight.set(request.id, target);
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		reply.raw.once('close', () => this.#inFlight.delete(request.id));
	}
}

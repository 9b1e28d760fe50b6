import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { fieldsOf } from './form';

/** A request as it came over the wire. */
export interface RecordedRequest {
	method: string;
	/** The path with its query. */
	url: string;
	headers: IncomingHttpHeaders;
	/** The body, byte for byte, as text; empty if there was none. */
	body: string;
}

/**
 * Keeps every request of the API that came in, in order, also those that were refused; and how many
 * were under way at once.
 */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly #underWay = new Map<string, FastifyRequest>();
	#mostInFlight = 0;
	#hasOverlap = false;

	/** How many calls are under way now. */
	get inFlight(): number {
		return this.#underWay.size;
	}

	/** The most calls that were under way at once. */
	get mostInFlight(): number {
		return this.#mostInFlight;
	}

	/** Whether two calls about the same page or link were ever under way at once. */
	get hasOverlap(): boolean {
		return this.#hasOverlap;
	}

	/** Forgets what it has kept. */
	reset(): void {
		this.requests.length = 0;
		this.#mostInFlight = 0;
		this.#hasOverlap = false;
	}

	register(server: FastifyInstance): void {
		server.addHook('preHandler', (request, reply, done) => {
			if (request.url.startsWith('/oauth/v1/')) this.#follow(request, reply);
			done();
		});
		server.addHook('preValidation', (request, _reply, done) => {
			const { method, url, headers, rawBody } = request;
			if (url.startsWith('/oauth/')) {
				this.requests.push({ method, url, headers, body: rawBody?.toString() ?? '' });
			}
			done();
		});
	}

	/** Counts a call from when it has come in until its answer or its connection has ended. */
	#follow(request: FastifyRequest, reply: FastifyReply): void {
		const others = [...this.#underWay.values()];
		if (others.some(({ body }) => haveSameTarget(body, request.body))) this.#hasOverlap = true;
		this.#underWay.set(request.id, request);
		this.#mostInFlight = Math.max(this.#mostInFlight, this.#underWay.size);
		reply.raw.once('close', () => this.#underWay.delete(request.id));
	}

	/** How many token requests came in. */
	get grants(): number {
		return this.requests.filter(({ url }) => url === '/oauth/token').length;
	}

	/** The requests other than those for tokens. */
	get calls(): RecordedRequest[] {
		return this.requests.filter(({ url }) => url !== '/oauth/token');
	}

	/** The fields of their forms. */
	get forms(): Array<Record<string, string>> {
		return this.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
	}
}

/** The fields that say what a form is about. */
const TARGET_FIELDS = ['page_id', 'link_id'];

function haveSameTarget(body: unknown, otherBody: unknown): boolean {
	const [form, other] = [fieldsOf(body), fieldsOf(otherBody)];
	return TARGET_FIELDS.some((name) => form[name] !== undefined && form[name] === other[name]);
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Fault } from './faults';
import { isCrossOrigin } from './websites';

/** A request to the service, without anything that may be secret. */
export interface LoggedRequest {
	/** When it arrived, in milliseconds since 1970. */
	readonly time: number;
	readonly method: string;
	/** The path, with the part of the query that is known to be public. */
	readonly target: string;
	/** Undefined while the request is in flight, and if no response began. */
	status?: number;
	/** Undefined while the request is in flight; in milliseconds. */
	duration?: number;
	/** Whether the connection ended before the whole response was sent. */
	isCutOff?: boolean;
	/** The fault that was injected: its name or its status. */
	fault?: string;
}

const CAPACITY = 100;

/** How much of a target is logged. */
const MAX_TARGET_LENGTH = 300;

/** The paths of the API and of the consent pages. The sandbox's own pages are not logged. */
const LOGGED = /^\/(oauth|manage)\//;

/** The only parameters of a query whose values are logged. Others may be codes, states or tokens. */
const PUBLIC_PARAMETERS = ['page_id', 'group_id', 'link_id'];

/**
 * The latest requests, for people to read: unlike the {@link Recorder}, it stores neither headers nor
 * bodies.
 */
export class RequestLog {
	#requests: readonly LoggedRequest[] = [];
	readonly #logged = new WeakMap<FastifyRequest, LoggedRequest>();

	/** Newest first. */
	get requests(): readonly LoggedRequest[] {
		return this.#requests;
	}

	/**
	 * Must be registered before hooks that reject requests, so that rejected requests are logged too. Those of websites
	 * are not: they could push the others out.
	 */
	register(server: FastifyInstance): void {
		server.addHook('onRequest', (request, reply, done) => {
			if (LOGGED.test(request.url) && !isCrossOrigin(request)) this.#add(request, reply);
			done();
		});
	}

	/** Notes that a fault was injected into a request. */
	noteFault(request: FastifyRequest, fault: Fault): void {
		const logged = this.#logged.get(request);
		if (logged) logged.fault = typeof fault === 'string' ? fault : String(fault.status);
	}

	#add(request: FastifyRequest, { raw }: FastifyReply): void {
		const { method, url } = request;
		const start = performance.now();
		const logged: LoggedRequest = { time: Date.now(), method, target: publicTarget(url).slice(0, MAX_TARGET_LENGTH) };
		this.#logged.set(request, logged);
		this.#requests = [logged, ...this.#requests].slice(0, CAPACITY);
		raw.once('close', () => {
			if (raw.headersSent) logged.status = raw.statusCode;
			logged.isCutOff = !raw.writableFinished;
			logged.duration = performance.now() - start;
		});
	}
}

/** Returns the path and the public parameters of a URL; "…" replaces the others. */
function publicTarget(url: string): string {
	const queryStart = url.indexOf('?');
	if (queryStart < 0) return url;
	const query = [...new URLSearchParams(url.slice(queryStart))];
	const shown = query.filter(([name]) => PUBLIC_PARAMETERS.includes(name)).map(([name, value]) => `${name}=${value}`);
	const hidden = shown.length < query.length ? ['…'] : [];
	return `${url.slice(0, queryStart)}?${[...shown, ...hidden].join('&')}`;
}

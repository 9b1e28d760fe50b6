import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance } from 'fastify';

/** A request as it came over the wire. */
export interface RecordedRequest {
	method: string;
	/** The path with its query. */
	url: string;
	headers: IncomingHttpHeaders;
	/** The body, byte for byte, as text; empty if there was none. */
	body: string;
}

/** Keeps every request of the API that came in, in order, also those that were refused. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];

	register(server: FastifyInstance): void {
		server.addHook('preValidation', (request, _reply, done) => {
			const { method, url, headers, rawBody } = request;
			if (url.startsWith('/oauth/')) {
				this.requests.push({ method, url, headers, body: rawBody?.toString() ?? '' });
			}
			done();
		});
	}

	/** How many token requests came in. */
	get grants(): number {
		return this.requests.filter(({ url }) => url === '/oauth/token').length;
	}

	/** The requests other than those for tokens. */
	get calls(): RecordedRequest[] {
		return this.requests.filter(({ url }) => url !== '/oauth/token');
	}
}

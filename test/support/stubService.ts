import { startHttpServer } from './httpServer';

/** A request as received. */
interface ReceivedRequest {
	method: string;
	url: string;
	contentType?: string;
	body: string;
}

/** Starts a service that grants tokens, records all other requests, and responds to each with this JSON. */
export async function startStubService(response: unknown, { latency = 0 } = {}) {
	const requests: ReceivedRequest[] = [];
	let inFlight = 0;
	let mostInFlight = 0;
	const { origin, close } = await startHttpServer((request, reply) => {
		let body = '';
		inFlight += 1;
		mostInFlight = Math.max(mostInFlight, inFlight);
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const isGrant = url === '/oauth/token';
			if (!isGrant) requests.push({ method, url, contentType: headers['content-type'], body });
			const token = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 };
			setTimeout(() => {
				inFlight -= 1;
				reply.setHeader('content-type', 'application/json');
				reply.end(JSON.stringify(isGrant ? token : response));
			}, latency);
		});
	});
	return { origin, close, requests, mostInFlight: () => mostInFlight };
}

/** The service, in its own process, so that it does not share an event loop with a client. */
import { isDeepStrictEqual } from 'node:util';

import { statusFault } from '../sandbox/faults';
import { type Sandbox, startSandbox } from '../sandbox/server';
import type { Order } from './baseline/sendOrders';
import { linkSeeds, newLink, seeds } from './pages';

/** What the service received since `startRun`. */
export interface Received {
	/** Number of token requests. */
	readonly grants: number;
	/** Number of other requests, including rejected ones. */
	readonly requests: number;
	/** Highest number of those requests in flight at once. */
	readonly mostInFlight: number;
	/** Number of requests that the service was told to reject. */
	readonly rejections: number;
	/** Number of pages that do not have the requested order. */
	readonly wrongPages: number;
}

/** The address of the service, its private app, and the certificate to trust if it uses TLS. */
export type ServiceAddress = Pick<Sandbox, 'baseUrl' | 'clientId' | 'clientSecret' | 'certificate'>;

let started: Promise<Sandbox>;

/** Called when this process starts. */
export function setup(options: { tls: boolean }): void {
	started = startSandbox({ ...options, pages: seeds(), links: linkSeeds() });
}

// Otherwise the server would keep this process alive if the benchmark crashes.
process.on('disconnect', () => process.exit());

export async function address(): Promise<ServiceAddress> {
	const { baseUrl, clientId, clientSecret, certificate } = await started;
	return { baseUrl, clientId, clientSecret, certificate };
}

/** Sets the delay of every response, in milliseconds. */
export async function setLatency(latency: number): Promise<void> {
	(await started).faults.latency = latency;
}

export async function revokeTokens(): Promise<void> {
	(await started).oauth.revokeAccessTokens();
}

/** Makes the first request to reorder each of these pages fail with status 503. */
export async function failOnce(pageIds: readonly string[]): Promise<void> {
	const { faults } = await started;
	for (const page of pageIds) {
		faults.add({ path: '/sort', page, fault: statusFault(503), times: 1 });
	}
}

/** Of requests to reorder pages. */
export interface RateLimit {
	/** The requests beyond these are rejected with status 429 until the next second. */
	readonly perSecond: number;
	/** In seconds; undefined sends no `Retry-After`. */
	readonly retryAfter?: number;
}

let rateLimitTimer: NodeJS.Timeout | undefined;

/** Limits the rate from now on; undefined removes the limit. */
export async function limitRate(limit: RateLimit | undefined): Promise<void> {
	const { faults } = await started;
	clearInterval(rateLimitTimer);
	faults.clear();
	if (!limit) return;
	const { perSecond, retryAfter } = limit;
	const fault = statusFault(429, 'Too many requests', {
		...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
	});
	const startWindow = () => {
		faults.clear();
		faults.add({ path: '/sort', times: perSecond });
		faults.add({ path: '/sort', fault });
	};
	startWindow();
	rateLimitTimer = setInterval(startWindow, 1000);
}

export async function addLinks(count: number): Promise<void> {
	const { account } = await started;
	for (let index = 0; index < count; index += 1) account.links.add(newLink());
}

/** Resets the counters and returns the reversed order of each page. */
export async function startRun(pageIds: readonly string[]): Promise<Order[]> {
	const { recorder, account, faults } = await started;
	recorder.reset();
	faults.injections.length = 0;
	return pageIds.map((pageId) => ({ pageId, ids: account.order(pageId).toReversed() }));
}

/** Returns the counters and compares the pages with the requested orders. */
export async function finishRun(requested: readonly Order[]): Promise<Received> {
	const { recorder, account, faults } = await started;
	return {
		grants: recorder.grants,
		requests: recorder.calls.length,
		mostInFlight: recorder.mostInFlight,
		rejections: faults.injections.length,
		wrongPages: requested.filter(({ pageId, ids }) => !isDeepStrictEqual(account.order(pageId), ids)).length,
	};
}

/** Called when the benchmark ends this process. */
export async function teardown(): Promise<void> {
	await (await started).close();
}

/** The service, in its own process, so that it does not share an event loop with a client. */
import { isDeepStrictEqual } from 'node:util';

import { statusFault } from '../sandbox/faults';
import { type Sandbox, startSandbox } from '../sandbox/server';
import { fixedWindow } from '../test/support/rateLimits';
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

/** Of the requests that a limit accepts, in milliseconds. */
const LATENCY = 25;

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

/** What the service accepts of the requests to reorder pages. */
export type Limit =
	/** In each second; `retryAfter` is in seconds, undefined sends none. */
	| {
			readonly perSecond: number;
			readonly retryAfter?: number;
			readonly atOnce?: undefined;
			readonly downAfter?: undefined;
	  }
	| { readonly perSecond?: undefined; readonly atOnce: number; readonly downAfter?: undefined }
	/** It is down for so many milliseconds once it has accepted so many requests. */
	| {
			readonly perSecond?: undefined;
			readonly atOnce?: undefined;
			readonly downAfter: number;
			readonly downFor: number;
	  };

/** Limits the requests from now on: others are rejected when they arrive, those that it accepts take LATENCY. */
export async function limit(rule: Limit): Promise<void> {
	const { faults, recorder } = await started;
	const isAccepted = acceptance(rule, () => recorder.inFlight);
	const isRateLimit = rule.downAfter === undefined;
	const headers: Record<string, string> = {};
	if (rule.perSecond !== undefined && rule.retryAfter !== undefined) headers['retry-after'] = String(rule.retryAfter);
	faults.latency = 0;
	faults.add({
		path: '/sort',
		when: () => !isAccepted(),
		fault: statusFault(isRateLimit ? 429 : 503, undefined, headers),
	});
	faults.add({ path: '/sort', latency: LATENCY });
}

export async function unlimit(): Promise<void> {
	(await started).faults.clear();
}

/** Returns a function that says whether the next request is accepted. */
function acceptance(rule: Limit, inFlight: () => number): () => boolean {
	if (rule.atOnce !== undefined) return () => inFlight() <= rule.atOnce;
	if (rule.perSecond !== undefined) {
		const window = fixedWindow(rule.perSecond);
		return () => window.accept(Date.now(), '') !== undefined;
	}
	let accepted = 0;
	let upAt: number | undefined;
	return () => {
		if (accepted < rule.downAfter) return (accepted += 1) > 0;
		return Date.now() >= (upAt ??= Date.now() + rule.downFor);
	};
}

export async function addLinks(count: number): Promise<void> {
	const { account } = await started;
	for (let index = 0; index < count; index += 1) account.links.add(newLink());
}

/** Returns when it first rejected a request since `startRun`, in milliseconds since 1970; `NaN` if it rejected none. */
export async function firstRejection(): Promise<number> {
	return (await started).faults.injections[0]?.time ?? NaN;
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

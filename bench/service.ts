/** The service, in a process of its own, so that it shares no event loop with a client. */
import { isDeepStrictEqual } from 'node:util';

import { type Sandbox, startSandbox } from '../sandbox/server';
import { type PageOrder, seeds } from './pages';
import { answerCalls } from './processCalls';

/** What came in since the last `begin`, and what became of it. */
export interface Seen {
	/** Token requests. */
	readonly grants: number;
	/** Other requests, also those that were refused. */
	readonly requests: number;
	/** The most of those that were under way at once. */
	readonly mostInFlight: number;
	/** How many pages are not in the order that was asked for. */
	readonly wrongPages: number;
}

/** Where the service is, and the private app that may use it. */
export type ServiceAddress = Pick<Sandbox, 'baseUrl' | 'clientId' | 'clientSecret'>;

const started = startSandbox({ pages: seeds() });

const handlers = {
	address: async (): Promise<ServiceAddress> => {
		const { baseUrl, clientId, clientSecret } = await started;
		return { baseUrl, clientId, clientSecret };
	},

	/** Sets how long every answer waits, in milliseconds. */
	setLatency: async (latency: number): Promise<void> => {
		(await started).faults.latency = latency;
	},

	/** Makes every access token invalid. */
	revokeTokens: async (): Promise<void> => (await started).oauth.revokeAll(),

	/** Begins to count anew; returns the opposite of the orders that these pages have now. */
	begin: async (pageIds: readonly string[]): Promise<PageOrder[]> => {
		const { recorder, account } = await started;
		recorder.reset();
		return pageIds.map((pageId) => ({ pageId, ids: account.order(pageId).toReversed() }));
	},

	/** Compares these orders with those that the pages have now. */
	finish: async (asked: readonly PageOrder[]): Promise<Seen> => {
		const { recorder, account } = await started;
		return {
			grants: recorder.grants,
			requests: recorder.calls.length,
			mostInFlight: recorder.mostInFlight,
			wrongPages: asked.filter(({ pageId, ids }) => !isDeepStrictEqual(account.order(pageId), ids))
				.length,
		};
	},
};

export type Service = typeof handlers;

answerCalls(handlers);

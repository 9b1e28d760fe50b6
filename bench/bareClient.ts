/** A client that does nothing but send, in a process of its own: the baseline. */
import { performance } from 'node:perf_hooks';

import { sendBare, type Sending } from './baseline/bareClient';
import { answerCalls } from './processCalls';

const handlers = {
	/** @returns how long it took to send all orders, in milliseconds */
	send: async (sending: Sending): Promise<number> => {
		const start = performance.now();
		await sendBare(sending);
		return performance.now() - start;
	},
};

export type BareClient = typeof handlers;

answerCalls(handlers);

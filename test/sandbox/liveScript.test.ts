import vm from 'node:vm';

import { liveScript } from '../../sandbox/viewer/liveScript';

/** Runs the script of an open page with a document that records which elements are replaced. */
function openPage() {
	const replaced: string[] = [];
	const pauses: Array<() => void> = [];
	const fetched: PromiseWithResolvers[] = [];
	const events: { onopen?: () => void; onmessage?: (event: { data: string }) => void } = {};
	const querySelector = (name: string) => ({ replaceWith: () => replaced.push(name) });
	vm.runInNewContext(liveScript, {
		document: { querySelector },
		setTimeout: (act: () => void, delay: number) => {
			expect(delay).toBeGreaterThanOrEqual(100);
			pauses.push(act);
		},
		location: { href: 'http://localhost/' },
		EventSource: function connect(path: string) {
			expect(path).toBe('/changes');
			return events;
		},
		DOMParser: class {
			parseFromString = () => ({ querySelector: (name: string) => name });
		},
		fetch: async () => {
			const response = withResolvers();
			fetched.push(response);
			await response.promise;
			return { text: () => '' };
		},
	});
	return {
		receive: (data: string) => events.onmessage?.({ data }),
		connect: () => events.onopen?.(),
		fetches: () => fetched.length,
		/** Responds to the latest request. */
		respond: async () => {
			fetched.at(-1)?.resolve();
			await settle();
		},
		fail: async () => {
			fetched.at(-1)?.reject(new Error('The sandbox has stopped'));
			await settle();
		},
		/** Ends the pause after an update. */
		endPause: async () => {
			pauses.shift()?.();
			await settle();
		},
		/** Returns the elements that were replaced since the last call. */
		replaced: () => replaced.splice(0),
	};
}

interface PromiseWithResolvers {
	promise: Promise<void>;
	resolve: () => void;
	reject: (error: Error) => void;
}

/** Promise.withResolvers, which Node.js 20 does not have. */
function withResolvers(): PromiseWithResolvers {
	const resolvers = {} as PromiseWithResolvers;
	resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
	return resolvers;
}

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

describe('an open page of the sandbox', () => {
	test('replaces the log of requests after a request, and nothing else', async () => {
		const page = openPage();
		page.receive('requests');
		await page.respond();
		expect(page.replaced()).toEqual(['aside']);
	});

	test('replaces the content and the log after a change of the account', async () => {
		const page = openPage();
		page.receive('changed');
		await page.respond();
		expect(page.replaced()).toEqual(['aside', 'main']);
	});

	test('replaces everything when it is connected, also after the sandbox was restarted', async () => {
		const page = openPage();
		page.connect();
		await page.respond();
		expect(page.replaced()).toEqual(['aside', 'main']);
	});

	test('combines all events during an update into one more update, after a pause', async () => {
		const page = openPage();
		for (const event of ['requests', 'requests', 'changed', 'requests']) page.receive(event);
		expect(page.fetches()).toBe(1);
		await page.respond();
		expect(page.replaced()).toEqual(['aside']);
		expect(page.fetches()).toBe(1);
		await page.endPause();
		expect(page.fetches()).toBe(2);
		await page.respond();
		expect(page.replaced()).toEqual(['aside', 'main']);
		await page.endPause();
		expect(page.fetches()).toBe(2);
	});

	test('is updated again after an update has failed', async () => {
		const page = openPage();
		page.receive('requests');
		await page.fail();
		expect(page.replaced()).toEqual([]);
		page.connect();
		await page.respond();
		expect(page.replaced()).toEqual(['aside', 'main']);
	});
});

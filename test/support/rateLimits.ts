/** A rate limit of a service, as a model. */
export interface RateLimit {
	/**
	 * Returns for how long a request is delayed, undefined if it is rejected.
	 *
	 * @param now in milliseconds
	 * @param path of the request
	 */
	accept(now: number, path: string): number | undefined;
	/** Notes that a request that was accepted has got its response. */
	end?(): void;
}

/** Accepts this many requests in each window, by default of a second, which begins with the first of them. */
export function fixedWindow(perWindow: number, milliseconds = 1000): RateLimit {
	let endsAt = -Infinity;
	let left = 0;
	return {
		accept(now) {
			if (now >= endsAt) {
				endsAt = now + milliseconds;
				left = perWindow;
			}
			left -= 1;
			return left < 0 ? undefined : 0;
		},
	};
}

/** `limit_req` of nginx: a bucket that leaks at a rate. It delays the requests in it, unless there is `nodelay`. */
export function leakyBucket(perSecond: number, burst: number, nodelay?: 'nodelay'): RateLimit {
	let excess = -1;
	let acceptedAt = 0;
	return {
		accept(now) {
			const next = Math.max(0, excess - ((now - acceptedAt) * perSecond) / 1000 + 1);
			if (next > burst) return undefined;
			excess = next;
			acceptedAt = now;
			return nodelay ? 0 : (excess / perSecond) * 1000;
		},
	};
}

/** `limit_conn` of nginx: accepts this many requests at a time. */
export function concurrency(limit: number): RateLimit {
	let inFlight = 0;
	return {
		accept() {
			if (inFlight === limit) return undefined;
			inFlight += 1;
			return 0;
		},
		end: () => (inFlight -= 1),
	};
}

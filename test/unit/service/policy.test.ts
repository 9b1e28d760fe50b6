import type { FailureData } from '../../../nodes/ProfilePage/service/failure';
import {
	CONSEQUENCES,
	decide,
	type History,
	type Meaning,
	meaningOf,
	UNTRIED,
	waitAfter,
} from '../../../nodes/ProfilePage/service/policy';

const NOW = Date.UTC(2030, 0, 1);
const SOON = { outcome: 'unknown', kind: 'request', problem: 'it failed', passes: 'soon' } as const;

const NEW = { hasAccepted: false };
const REJECTING = { hasAccepted: false, rejectsSince: NOW - 1000 };
const GOOD = { hasAccepted: true };
const BUSY = { hasAccepted: true, rejectsSince: NOW - 2999 };
const GONE = { hasAccepted: true, rejectsSince: NOW - 3000 };

test.each<[string, Partial<FailureData>, Array<[object, Meaning]>]>([
	[
		'a 404',
		{ passes: undefined, response: { status: 404 } },
		[
			[NEW, 'dealt with'],
			[GONE, 'dealt with'],
		],
	],
	['a 404 for a token', { passes: undefined, kind: 'token', response: { status: 404 } }, [[GOOD, 'own']]],
	[
		'a broken connection',
		{},
		[
			[NEW, 'own'],
			[GOOD, 'own'],
			[GONE, 'own'],
		],
	],
	['a 500', { passes: 'later', response: { status: 500 } }, [[GOOD, 'own']]],
	[
		'a 502',
		{ response: { status: 502 } },
		[
			[NEW, 'own'],
			[GOOD, 'own'],
			[GONE, 'own'],
		],
	],
	[
		'a 503',
		{ response: { status: 503 } },
		[
			[NEW, 'down'],
			[REJECTING, 'down'],
			[GOOD, 'first'],
			[BUSY, 'busy'],
			[GONE, 'down'],
		],
	],
	[
		'a 502 with Retry-After',
		{ response: { status: 502, retryAfter: 1 } },
		[
			[NEW, 'down'],
			[GOOD, 'busy'],
			[BUSY, 'busy'],
			[GONE, 'down'],
		],
	],
	[
		'a 429',
		{ response: { status: 429 } },
		[
			[NEW, 'rate limit'],
			[GOOD, 'rate limit'],
			[GONE, 'rate limit'],
		],
	],
])('%s means, by what is known of the service, what the table says', (_what, more, rows) => {
	for (const [service, meaning] of rows)
		expect(meaningOf({ ...SOON, ...more }, service as typeof NEW, NOW)).toBe(meaning);
});

const LIMITS = { maxRetries: 2, maxWait: 90_000, idempotent: true };

/** Decides on failures that mean these things, one after another, and returns the wait after each. */
function after(meanings: Meaning[], more: Partial<FailureData> = {}, limits: Partial<typeof LIMITS> = {}) {
	let history: History = UNTRIED;
	return meanings.map((meaning) => {
		history = decide({ ...SOON, ...more }, meaning, history, { ...LIMITS, ...limits }, NOW, 0);
		return history.wait;
	});
}

describe('A request waits before its next attempt', () => {
	test.each<[Meaning, Array<number | undefined>]>([
		['own', [500, 1000, undefined]],
		['first', [500, 500, 500]],
		['rate limit', [0, 0, 0]],
		['busy', [0, 0, 0]],
		['down', [0, 0, undefined]],
	])('after failures that mean "%s": %j ms', (meaning, waits) => {
		expect(after([meaning, meaning, meaning])).toEqual(waits);
	});

	test('as long as the service asks', () => {
		expect(after(['own'], { response: { retryAfter: 7000 } })).toEqual([7000]);
	});
});

describe('A request is not attempted again', () => {
	test.each<[string, Partial<FailureData>, Partial<typeof LIMITS>]>([
		['if its failure passes later', { passes: 'later' }, {}],
		['if it may have been applied, and may not be twice', {}, { idempotent: false }],
		['if there are no retries', {}, { maxRetries: 0 }],
		['if the service asks for too long a wait', { response: { retryAfter: 90_001 } }, {}],
	])('%s', (_when, more, limits) => {
		for (const meaning of Object.keys(CONSEQUENCES) as Meaning[])
			expect(after([meaning], more, limits)).toEqual([undefined]);
	});

	test('after eight attempts with 503 and two more, though none of them used up a retry', () => {
		const waits = after(Array<Meaning>(12).fill('busy'), { response: { status: 503 } });
		expect(waits.indexOf(undefined)).toBe(10);
	});

	test('after the deadline, which is twice as late if a rate limit comes first', () => {
		const limits = { ...LIMITS, maxRetries: 10 };
		const at = (meaning: Meaning, now: number) => {
			const history = decide(SOON, meaning, UNTRIED, limits, NOW, 0);
			return decide(SOON, 'rate limit', history, limits, NOW + now, 0).wait;
		};
		expect([at('own', 90_000), at('own', 90_001)]).toEqual([0, undefined]);
		expect([at('rate limit', 180_000), at('rate limit', 180_001)]).toEqual([0, undefined]);
	});
});

test.each([
	[500, 500],
	[64_000, 30_000],
])('A wait of %d ms lasts up to %d ms', (backoff, most) => {
	expect(waitAfter(undefined, backoff, 0)).toBe(most);
	expect(waitAfter(undefined, backoff, 0.5)).toBe(most / 2);
	expect(waitAfter(7000, backoff, 0.5)).toBe(7250);
});

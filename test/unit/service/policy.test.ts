import type { FailureData } from '../../../nodes/ProfilePage/shared/failure';
import {
	addFailure,
	CONSEQUENCES,
	decide,
	type History,
	isDown,
	type Limits,
	type Meaning,
	meaningOf,
	type ServiceState,
	UNKNOWN_SERVICE,
	UNTRIED,
	waitAfter,
	withAnswer,
	withFailure,
} from '../../../nodes/ProfilePage/service/policy';

const NOW = Date.UTC(2030, 0, 1);
const SOON = { outcome: 'unknown', kind: 'request', problem: 'it failed', passes: 'soon' } as const;

const failing = (attempts: number, since = NOW - 1000) => ({ since, attempts, requests: attempts });
const NEW = UNKNOWN_SERVICE;
const GOOD: ServiceState = { answers: 5, failures: 0 };
const BUSY: ServiceState = { answers: 5, failures: 1, failing: failing(1, NOW - 2999) };
const GONE: ServiceState = { answers: 5, failures: 1, failing: failing(1, NOW - 3000) };

/** A request that failed when the service had answered four, so one has been answered since. */
const OVERTAKEN: History = { ...UNTRIED, attempts: 1, seen: { answers: 4, failures: 0 } };
const OVERTAKEN_AGAIN: History = { ...OVERTAKEN, overtaken: 12 };

test.each<[string, Partial<FailureData>, Array<[ServiceState, Meaning, History?, number?]>]>([
	[
		'a 404',
		{ passes: undefined, response: { status: 404 } },
		[
			[NEW, 'final'],
			[GONE, 'final'],
		],
	],
	['a 404 for a token', { passes: undefined, kind: 'token', response: { status: 404 } }, [[GOOD, 'unsent']]],
	['a cancellation', { passes: undefined, kind: 'stopped' }, [[GOOD, 'unsent']]],
	['a rejected token', { passes: 'with another token', response: { status: 401 } }, [[GOOD, 'token']]],
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
			[GONE, 'own'],
		],
	],
	[
		'a 503',
		{ response: { status: 503 } },
		[
			[NEW, 'down'],
			[GOOD, 'lone'],
			[BUSY, 'overloaded'],
			[GONE, 'down'],
			// A tenth of those in flight: four of forty.
			[{ ...GOOD, failing: failing(2) }, 'lone', UNTRIED, 40],
			[{ ...GOOD, failing: failing(3) }, 'overloaded', UNTRIED, 40],
			[GOOD, 'own', OVERTAKEN_AGAIN],
		],
	],
	[
		'a 502 with Retry-After',
		{ response: { status: 502, retryAfter: 1 } },
		[
			[NEW, 'down'],
			[GOOD, 'overloaded'],
			[GOOD, 'lone', OVERTAKEN],
			[GONE, 'down'],
		],
	],
	[
		'a 429',
		{ response: { status: 429 } },
		[
			[NEW, 'overloaded'],
			[GOOD, 'overloaded'],
			[GOOD, 'lone', OVERTAKEN],
			[BUSY, 'overloaded', OVERTAKEN],
			[GOOD, 'own', OVERTAKEN_AGAIN],
			[GONE, 'overloaded'],
		],
	],
])('%s means what the table says', (_what, more, rows) => {
	for (const [service, meaning, before = UNTRIED, inFlight = 10] of rows)
		expect(meaningOf({ ...SOON, ...more }, before, service, inFlight, NOW)).toBe(meaning);
});

describe('A service', () => {
	const afterFailures = (...requests: History[]) =>
		requests.reduce((service, before) => withFailure(service, before, NOW), GOOD);

	test('has failed since the first failure after its last answer, for as many requests as have failed since', () => {
		const again: History = { ...UNTRIED, attempts: 1, seen: { answers: 5, failures: 1 } };
		const service = afterFailures(UNTRIED, again, UNTRIED);
		expect(service).toEqual({
			answers: 5,
			failures: 3,
			failing: { since: NOW, attempts: 3, requests: 2 },
		});
		expect(withFailure(service, again, NOW + 1).failing?.since).toBe(NOW);
		expect(withAnswer(service)).toEqual({ answers: 6, failures: 3 });
	});

	test('is down after 90 s without an answer, unless only a few requests fail', () => {
		const five = afterFailures(...Array<History>(5).fill(UNTRIED));
		expect(isDown(five, NOW + 90_001)).toBe(true);
		expect(isDown(five, NOW + 90_000)).toBe(false);
		const four = afterFailures(...Array<History>(4).fill(UNTRIED));
		expect(isDown(four, NOW + 900_000)).toBe(false);
		expect(isDown(GOOD, NOW + 900_000)).toBe(false);
	});
});

const LIMITS: Limits = { maxRetries: 2, maxWait: 90_000, idempotent: true };

/** Decides on failures that mean these things, one after another, and returns the wait after each. */
function after(meanings: Meaning[], more: Partial<FailureData> = {}, limits: Partial<Limits> = {}, service = NEW) {
	let history: History = UNTRIED;
	return meanings.map((meaning) => {
		const [failure, all] = [
			{ ...SOON, ...more },
			{ ...LIMITS, ...limits },
		];
		history = addFailure(history, failure, { meaning, service }, all, NOW);
		return decide(failure, { meaning, service }, history, all, NOW, 0).wait;
	});
}

describe('A request waits before its next attempt', () => {
	test.each<[Meaning, Array<number | undefined>]>([
		['own', [500, 1000, undefined]],
		['lone', [500, 500, 500]],
		['token', [0, 0, undefined]],
		['overloaded', [0, 0, 0]],
		['overloaded', [0, 0, 0]],
		['down', [0, 0, undefined]],
	])('after failures that mean "%s": %j ms', (meaning, waits) => {
		expect(after([meaning, meaning, meaning])).toEqual(waits);
	});

	test('as long as the service asks', () => {
		expect(after(['own'], { response: { retryAfter: 7000 } })).toEqual([7000]);
	});

	test('longer each time others were answered meanwhile, also than the service asks', () => {
		const waitOf = (overtaken: number, retryAfter?: number) => {
			const [failure, judgement] = [{ ...SOON, response: { retryAfter } }, { meaning: 'lone', service: GOOD } as const];
			return decide(failure, judgement, { ...UNTRIED, overtaken }, LIMITS, NOW, 0).wait;
		};
		expect([waitOf(0), waitOf(1), waitOf(2), waitOf(3)]).toEqual([500, 2000, 8000, 30_000]);
		expect([waitOf(0, 1000), waitOf(2, 1000)]).toEqual([1000, 8000]);
	});
});

describe('A request is not attempted again', () => {
	test.each<[string, Partial<FailureData>, Partial<Limits>]>([
		['if its failure passes later', { passes: 'later' }, {}],
		['if it may have been applied, and may not be twice', {}, { idempotent: false }],
		['if there are no retries', {}, { maxRetries: 0 }],
		['if the service asks for too long a wait', { response: { retryAfter: 90_001 } }, {}],
	])('%s', (_when, more, limits) => {
		const meanings = (Object.keys(CONSEQUENCES) as Meaning[]).filter((meaning) => meaning !== 'token');
		for (const meaning of meanings) expect(after([meaning], more, limits)).toEqual([undefined]);
	});

	test('after it was overtaken twelve times and two retries more, though its failures used up none', () => {
		let [history, service, attempts]: [History, ServiceState, number] = [UNTRIED, GOOD, 0];
		for (let isAgain = true; isAgain; attempts += 1) {
			const judgement = { meaning: 'lone', service } as const;
			history = addFailure(history, SOON, judgement, LIMITS, NOW);
			isAgain = decide(SOON, judgement, history, LIMITS, NOW, 0).wait !== undefined;
			service = withAnswer(withFailure(service, history, NOW));
		}
		expect(attempts).toBe(16);
	});

	test('once it is known to be overtaken, also if no other request is left to compare it with', () => {
		const alone: History = { ...UNTRIED, attempts: 3, overtaken: 1, seen: { answers: 5, failures: 1 } };
		const judgement = { meaning: 'overloaded', service: { answers: 5, failures: 1 } } as const;
		expect(addFailure(alone, SOON, judgement, LIMITS, NOW).overtaken).toBe(2);
		expect(addFailure({ ...alone, overtaken: 0.5 }, SOON, judgement, LIMITS, NOW).overtaken).toBe(0.5);
	});

	test('after 90 s, or after 180 s in which a rate limit lets nothing through', () => {
		const limits = { ...LIMITS, maxRetries: 10 };
		const own = { meaning: 'own', service: GOOD } as const;
		const first = addFailure(UNTRIED, SOON, own, limits, NOW);
		const waitAt = (now: number) => decide(SOON, own, first, limits, NOW + now, 0.5).wait;
		expect([waitAt(89_750), waitAt(89_751)]).toEqual([250, undefined]);
		const limited = { meaning: 'overloaded', service: { ...GOOD, failing: failing(1, NOW) } } as const;
		const waitLimited = (now: number) => decide(SOON, limited, UNTRIED, limits, NOW + now, 0).wait;
		expect([waitLimited(180_000), waitLimited(180_001)]).toEqual([0, undefined]);
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

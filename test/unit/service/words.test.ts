import type { Failure } from '../../../nodes/ProfilePage/service/failure';
import type { ServiceRequest } from '../../../nodes/ProfilePage/service/request';
import { asksToWaitUntil, inOneText, inWords } from '../../../nodes/ProfilePage/service/words';
import { getProfile as read } from '../../support/requests';

const create: ServiceRequest = {
	...read,
	method: 'POST',
	idempotent: false,
	subject: 'the link',
	effect: ['was', 'created'],
};
const reorder: ServiceRequest = { ...create, idempotent: true, subject: 'the blocks', effect: ['were', 'reordered'] };

const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';
const MAY_BE_MADE = 'In an earlier try, the change may have been made. Look at your profile.';

const failure = (others: Partial<Failure>): Failure => ({
	outcome: 'not applied',
	kind: 'request',
	problem: 'it broke',
	...others,
});

describe('The message of a failure', () => {
	test.each<[string, Partial<Failure>, string]>([
		['of a read', { purpose: read, outcome: 'unknown' }, 'The profile was not read: it broke'],
		['of a change that was not applied', { purpose: reorder }, 'The blocks were not reordered: it broke'],
		[
			'of a change with an unknown outcome',
			{ purpose: reorder, outcome: 'unknown' },
			'It is unknown whether the blocks were reordered: it broke',
		],
		[
			'without a token after an attempt with an unknown outcome',
			{ kind: 'token', purpose: create, outcome: 'unknown' },
			'It is unknown whether the link was created: no access token: it broke',
		],
		[
			'without a token that prevented another request',
			{ kind: 'token', purpose: read, wanted: create, outcome: 'not applied' },
			'The link was not created: no access token: it broke',
		],
		['of a field', { kind: 'field', problem: 'Title: the value is empty' }, 'Title: the value is empty'],
		['of a canceled execution', { kind: 'stopped', purpose: create, outcome: 'unknown' }, 'It broke'],
	])('%s', (_what, others, message) => {
		expect(inWords(failure(others)).message).toBe(message);
	});
});

describe('The description of a failure', () => {
	const describeIt = (others: Partial<Failure>, hasOptions = false) => inWords(failure(others), hasOptions).description;
	const unknown = { outcome: 'unknown', purpose: create } as const;

	test.each<[string, Partial<Failure>, string]>([
		['nothing if there is nothing to say', {}, ''],
		['its own advice', { advice: 'Check it.', passes: 'soon' }, 'Check it.'],
		['to wait if it may go away', { passes: 'later' }, 'Try again later.'],
		['to look first after a change that cannot be repeated', unknown, LOOK_FIRST],
		['not to try such a change again later', { ...unknown, passes: 'soon' }, LOOK_FIRST],
		['to wait after one that can', { ...unknown, purpose: reorder, passes: 'soon' }, 'Try again later.'],
		['no number for a single attempt', { attempts: 1 }, ''],
		['until when to wait', { waitUntil: 0 }, 'The service asks to wait until 1970-01-01 00:00 UTC.'],
		[
			'that a request without a token in time was not sent',
			{ kind: 'token', code: 'ETIMEDOUT', passes: 'soon' },
			'The request itself was not sent. Try again later.',
		],
		['not that of one that may have been applied', { ...unknown, kind: 'token', code: 'ETIMEDOUT' }, LOOK_FIRST],
		[
			'beside the failure of a field that an earlier try may have made the change',
			{ outcome: 'unknown', kind: 'field', wanted: create },
			MAY_BE_MADE,
		],
		[
			'to look first if an earlier try may have made a change that cannot be repeated',
			{ outcome: 'unknown', purpose: reorder, wanted: create },
			LOOK_FIRST,
		],
	])('says %s', (_what, others, description) => {
		expect(describeIt(others)).toBe(description);
	});

	test.each<[string, Partial<Failure>, string]>([
		[
			'a rate limit',
			{ status: 429, passes: 'soon' },
			'Wait a while, then run the workflow less often, or set Items per Batch and Batch Interval in the options of the node.',
		],
		[
			'a busy service',
			{ status: 503, passes: 'soon', purpose: reorder },
			'Try again later, or raise Max Retries in the options of the node.',
		],
		[
			'a time-out',
			{ code: 'ETIMEDOUT', passes: 'soon' },
			'Try again later. If it happens often, raise Timeout (ms) in the options of the node.',
		],
	])('names the options that help against %s only where there are options', (_what, others, description) => {
		expect(describeIt(others, true)).toBe(description);
		expect(describeIt(others)).not.toContain('options of the node');
	});

	test.each<[string, Partial<Failure>]>([
		['a failure that does not pass soon', { status: 500, passes: 'later', purpose: reorder }],
		['a request that is not sent again', { status: 503, passes: 'soon', purpose: create }],
	])('does not advise to raise Max Retries for %s', (_what, others) => {
		expect(describeIt(others, true)).toBe('Try again later.');
	});
});

test('A single text contains the message, and the description if there is one', () => {
	expect(inOneText(failure({ advice: 'Check it.' }))).toBe('It broke. Check it.');
	expect(inOneText(failure({}))).toBe('It broke');
});

test.each([
	[0, '1970-01-01 00:00 UTC'],
	[1, '1970-01-01 00:01 UTC'],
	[Infinity, '9999-12-31 00:00 UTC'],
])('A time to wait until, %p, is rounded up to %j', (time, text) => {
	expect(asksToWaitUntil(time)).toBe(`the service asks to wait until ${text}`);
});

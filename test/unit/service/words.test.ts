import { readRetryHints } from '../../../nodes/ProfilePage/http/failures';
import { type ServiceRequest } from '../../../nodes/ProfilePage/service/request';
import { inWords, type Sender } from '../../../nodes/ProfilePage/service/words';
import { type History, NOT_SENT, noToken, ServiceError } from '../../../nodes/ProfilePage/shared/errors';

const read: ServiceRequest = {
	method: 'GET',
	path: '/',
	idempotent: true,
	subject: 'The profile',
	effect: 'was read',
	advice: '',
};
const create: ServiceRequest = {
	...read,
	method: 'POST',
	idempotent: false,
	subject: 'The link',
	effect: 'was created',
};
const reorder: ServiceRequest = {
	...create,
	idempotent: true,
	subject: 'The blocks',
	effect: 'were reordered',
};

const NOT_CREATED = 'The link was not created: it broke';
const UNKNOWN = 'It is unknown whether the link was created: it broke';
const UNKNOWN_ORDER = 'It is unknown whether the blocks were reordered: it broke';
const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

describe('The error of a failed request', () => {
	const explain = (request: ServiceRequest, history?: History, advice = 'Check.') =>
		inWords(request, new ServiceError('it broke', advice, { history }));

	test.each<[string, ServiceRequest, History, string]>([
		['a read', read, 'may be applied', 'The profile was not read: it broke'],
		['a change that was not sent', create, 'not sent', NOT_CREATED],
		['a change that was not applied', create, 'rejected', NOT_CREATED],
		['an idempotent change that was not applied', reorder, 'rejected', 'The blocks were not reordered: it broke'],
		['an idempotent change of unknown outcome', reorder, 'may be applied', UNKNOWN_ORDER],
		['a change of unknown outcome that is not idempotent', create, 'may be applied', UNKNOWN],
	])('says for %s whether it was applied', (_what, request, history, message) => {
		expect(explain(request, history).message).toBe(message);
	});

	test('reports an unknown outcome for a change unless it was certainly not applied', () => {
		expect(explain(create, undefined).message).toBe(UNKNOWN);
	});

	test.each([
		['', LOOK_FIRST],
		['Check.', `Check. ${LOOK_FIRST}`],
		['Try again later.', LOOK_FIRST],
		['Check. Try again later.', `Check. ${LOOK_FIRST}`],
	])('advises to look at the profile before repeating a change that is not idempotent (%j)', (advice, expected) => {
		expect(explain(create, 'may be applied', advice).advice).toBe(expected);
	});

	test.each<[string, ServiceRequest, History]>([
		['a read', read, 'may be applied'],
		['an idempotent change of unknown outcome', reorder, 'may be applied'],
		['a change that was not applied', create, 'rejected'],
	])('leaves the advice for %s unchanged', (_what, request, history) => {
		const advice = 'Check. Try again later.';
		expect(explain(request, history, advice).advice).toBe(advice);
	});

	test('contains the details of the failure, and whether the request is idempotent, but not the body', () => {
		const details = {
			status: 503,
			isTransient: true,
			retryAfter: 7000,
			history: 'rejected',
		} as const;
		const error = new ServiceError('it broke', '', { ...details, body: 'a body' });
		expect(inWords(create, error).details).toEqual({
			...details,
			idempotent: false,
			isSentence: true,
		});
	});

	test('quotes the service, unless it repeats a secret of the sender', () => {
		const error = new ServiceError('it broke', 'Check.', {
			history: 'rejected',
			body: { message: 'No s3cret-t0ken' },
		});
		const quoted = 'Check. The service said: "No s3cret-t0ken".';
		expect(inWords(create, error).advice).toBe(quoted);
		const sender = { hasOptions: false, secrets: ['s3cret-t0ken'] };
		expect(inWords(create, error, sender).advice).toBe('Check.');
	});
});

describe('An error that is a sentence, such as that of a missing token,', () => {
	const error = noToken({ problem: 'it broke', advice: 'Check.' });

	test('is not changed if the request was not sent', () => {
		const { message, advice } = inWords(create, error);
		expect({ message, advice }).toEqual({ message: error.message, advice: 'Check.' });
	});

	test('continues the sentence that an earlier attempt may have been applied', () => {
		const { message } = inWords(create, error.with({ history: 'may be applied' }));
		expect(message).toBe('It is unknown whether the link was created: no access token: it broke');
	});

	test('does not say that nothing was sent if an earlier attempt may have been applied', () => {
		const unsent = noToken({ problem: 'it broke', advice: `${NOT_SENT} Try again later.` });
		expect(inWords(create, unsent).advice).toBe('The request itself was not sent. Try again later.');
		const unknown = unsent.with({ history: 'may be applied' });
		expect(inWords(create, unknown).advice).toBe(LOOK_FIRST);
		expect(inWords(reorder, unknown).advice).toBe('Try again later.');
	});

	test('is not changed if it is put into words again', () => {
		const once = inWords(read, new ServiceError('it broke', 'Check.'));
		expect(inWords(reorder, once.with({ history: 'rejected' })).message).toBe(once.message);
	});
});

describe('The advice of an error', () => {
	const withOptions: Sender = { hasOptions: true, secrets: [] };
	const advise = (request: ServiceRequest, status: number, advice: string, sender?: Sender) => {
		const details = { ...readRetryHints(status, {}), history: 'rejected' } as const;
		return inWords(request, new ServiceError('it broke', advice, details), sender).advice;
	};

	test('for HTTP 503 mentions Max Retries only if there are options and the request is idempotent', () => {
		const raise = 'Try again later, or raise Max Retries in the options of the node.';
		expect(advise(read, 503, 'Try again later.', withOptions)).toBe(raise);
		expect(advise(reorder, 503, 'Try again later.', withOptions)).toBe(raise);
		expect(advise(create, 503, 'Try again later.', withOptions)).toBe('Try again later.');
		for (const request of [read, reorder, create]) {
			expect(advise(request, 503, 'Try again later.')).toBe('Try again later.');
		}
	});

	test('mentions options in its last sentence', () => {
		const raised = 'Check the app. Try again later, or raise Max Retries in the options of the node.';
		expect(advise(read, 503, 'Check the app. Try again later.', withOptions)).toBe(raised);
	});

	test.each([500, 501])('for HTTP %d, which is not retried, does not mention Max Retries', (status) => {
		expect(advise(reorder, status, 'Try again later.', withOptions)).toBe('Try again later.');
	});

	test('for HTTP 429 mentions Items per Batch only if there are options', () => {
		const orBatch = ', or set Items per Batch and Batch Interval in the options of the node.';
		expect(advise(create, 429, 'Wait a while.', withOptions)).toBe(`Wait a while${orBatch}`);
		expect(advise(create, 429, 'Wait a while.')).toBe('Wait a while.');
	});
});

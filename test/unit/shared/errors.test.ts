import {
	ExecutionCanceled,
	type History,
	historyOf,
	inOneText,
	noToken,
	ServiceError,
	ValidationError,
	worseOf,
} from '../../../nodes/ProfilePage/shared/errors';

test.each<[History, History, History]>([
	['not sent', 'not sent', 'not sent'],
	['not sent', 'rejected', 'rejected'],
	['rejected', 'may be applied', 'may be applied'],
	['not sent', 'may be applied', 'may be applied'],
])('a request that was both "%s" and "%s" counts as "%s"', (one, other, both) => {
	expect([worseOf(one, other), worseOf(other, one)]).toEqual([both, both]);
});

test.each<[string, unknown, History]>([
	['an invalid parameter', new ValidationError('Title', 'it is empty'), 'not sent'],
	['a missing token', noToken({ problem: 'x', advice: '' }), 'not sent'],
	['a rejection', new ServiceError('x', '', { history: 'rejected' }), 'rejected'],
	['a failure of which nothing else is known', new ServiceError('x'), 'may be applied'],
	['a cancellation before it was sent', new ExecutionCanceled(), 'not sent'],
	['a cancellation in flight', new ExecutionCanceled('may be applied', true), 'may be applied'],
	['an unexpected error', new TypeError('x'), 'may be applied'],
])('the history of a request that ended with %s is known', (_what, error, history) => {
	expect(historyOf(error)).toBe(history);
});

describe('An error for users', () => {
	test('has its advice in one text with its message', () => {
		expect(new ServiceError('It failed', 'Wait.').text).toBe('It failed. Wait.');
		expect(new ServiceError('It failed').text).toBe('It failed');
	});

	test('names the field that cannot be used', () => {
		expect(new ValidationError('Title', 'the value is empty', 'Enter it.')).toMatchObject({
			message: 'Title: the value is empty',
			text: 'Title: the value is empty. Enter it.',
		});
	});

	test('keeps what is known of it where n8n keeps it too', () => {
		const { context } = new ServiceError('It failed', 'Wait.', { status: 503 });
		const explained = { message: 'It failed', advice: 'Wait.', details: { status: 503 } };
		expect(context).toEqual({ explained });
	});

	test('gets more details, which replace those it has', () => {
		const error = new ServiceError('It failed', 'Wait.', { status: 503, isTransient: true });
		const changed = error.with({ isTransient: false, history: 'rejected' });
		expect(changed).toMatchObject({ message: 'It failed', advice: 'Wait.' });
		expect(changed.details).toEqual({ status: 503, isTransient: false, history: 'rejected' });
		expect(error.details.isTransient).toBe(true);
	});

	test('that there is no token is a sentence, whatever is known of the token request', () => {
		const details = { status: 503, isTransient: true, history: 'rejected' } as const;
		const error = noToken({ problem: 'it failed', advice: 'Wait.' }, details);
		expect(error.text).toBe('No access token: it failed. Wait.');
		expect(error.details).toEqual({ ...details, history: 'not sent', isSentence: true });
	});
});

test('an error of a credential has its whole text as message, once', async () => {
	const error = new ServiceError('It failed', 'Wait.');
	const failing = async () => await inOneText(async () => await Promise.reject(error));
	await expect(inOneText(failing)).rejects.toBe(error);
	expect(error.message).toBe('It failed. Wait.');
	const unexpected = new TypeError('x');
	await expect(inOneText(async () => await Promise.reject(unexpected))).rejects.toBe(unexpected);
	expect(unexpected.message).toBe('x');
});

import { describeFailure } from '../../nodes/ProfilePage/transport/serviceRequest';

const read = { failure: 'Not read' };
const create = {
	failure: 'Not created',
	unknownOutcome: 'Who knows whether it was created',
	isIdempotent: false,
};
const remove = { ...create, isIdempotent: true };

const CHECK_FIRST = 'Look at your profile, and try again only if it did not succeed.';

test.each([
	['a request that changes nothing', read, false, 'Not read: it broke.'],
	['a request that was not applied', create, true, 'Not created: it broke.'],
	['an idempotent request that was not applied', remove, true, 'Not created: it broke.'],
	[
		'a request of unknown outcome that is not idempotent',
		create,
		false,
		`Who knows whether it was created: it broke. ${CHECK_FIRST}`,
	],
	[
		'an idempotent request of unknown outcome',
		remove,
		false,
		'Who knows whether it was created: it broke.',
	],
])('the message about %s says what is certain', (_what, request, isNotApplied, message) => {
	expect(describeFailure(request, 'it broke.', isNotApplied)).toBe(message);
});

test('the outcome of a change is unknown unless it is certain that it was not applied', () => {
	expect(describeFailure(create, 'it broke.')).toMatch(/^Who knows/);
});

import {
	type ServiceRequest,
	toServiceError,
} from '../../../nodes/ProfilePage/transport/serviceRequest';

const read: ServiceRequest = {
	method: 'GET',
	path: '/',
	documentedBy: 'contract',
	idempotent: true,
	subject: 'The profile',
	outcome: 'was read',
	advice: '',
};
const create: ServiceRequest = {
	...read,
	method: 'POST',
	idempotent: false,
	subject: 'The link',
	outcome: 'was created',
};
const reorder: ServiceRequest = {
	...create,
	idempotent: true,
	subject: 'The blocks',
	outcome: 'were reordered',
};

const NOT_CREATED = 'The link was not created: it broke';
const UNKNOWN = 'It is unknown whether the link was created: it broke';
const UNKNOWN_ORDER = 'It is unknown whether the blocks were reordered: it broke';
const LOOK_FIRST = 'Look at your profile, and try again only if the change is missing.';

describe('The error of a failed request', () => {
	const explain = (request: ServiceRequest, isNotApplied: boolean | undefined, advice = 'Check.') =>
		toServiceError(request, { problem: 'it broke', advice }, { isNotApplied });

	test.each([
		['a read', read, false, 'The profile was not read: it broke'],
		['a change that was not applied', create, true, NOT_CREATED],
		[
			'an idempotent change that was not applied',
			reorder,
			true,
			'The blocks were not reordered: it broke',
		],
		['an idempotent change of unknown outcome', reorder, false, UNKNOWN_ORDER],
		['a change of unknown outcome that is not idempotent', create, false, UNKNOWN],
	])('says for %s whether it was applied', (_what, request, isNotApplied, message) => {
		expect(explain(request, isNotApplied).message).toBe(message);
	});

	test('reports an unknown outcome for a change unless it was certainly not applied', () => {
		expect(explain(create, undefined).message).toBe(UNKNOWN);
	});

	test.each([
		['a change', create, UNKNOWN, `Check. ${LOOK_FIRST}`],
		['an idempotent change', reorder, UNKNOWN_ORDER, 'Check.'],
	])(
		'reports an unknown outcome for %s that was not applied this time, but may have been before',
		(_what, request, message, advice) => {
			const error = explain({ ...request, mayBeApplied: true }, true);
			expect(error.message).toBe(message);
			expect(error.advice).toBe(advice);
		},
	);

	test('reports no unknown outcome for a read that may have been performed before', () => {
		const { message } = explain({ ...read, mayBeApplied: true }, false);
		expect(message).toBe('The profile was not read: it broke');
	});

	test.each([
		['', LOOK_FIRST],
		['Check.', `Check. ${LOOK_FIRST}`],
		['Try again later.', LOOK_FIRST],
		['Check. Try again later.', `Check. ${LOOK_FIRST}`],
	])(
		'advises to look at the profile before repeating a change that is not idempotent (%j)',
		(advice, expected) => {
			expect(explain(create, false, advice).advice).toBe(expected);
		},
	);

	test.each([
		['a read', read, false],
		['an idempotent change of unknown outcome', reorder, false],
		['a change that was not applied', create, true],
	])('leaves the advice for %s unchanged', (_what, request, isNotApplied) => {
		const advice = 'Check. Try again later.';
		expect(explain(request, isNotApplied, advice).advice).toBe(advice);
	});

	test('contains the details of the failure', () => {
		const details = { status: 503, isTransient: true, retryAfter: 7000, isNotApplied: false };
		expect(toServiceError(read, { problem: '', advice: '' }, details).details).toEqual(details);
	});
});

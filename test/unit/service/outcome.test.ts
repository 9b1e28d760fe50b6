import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isFailedStatus, readOutcome } from '../../../nodes/ProfilePage/service/outcome';
import { getProfile } from '../../support/requests';

/** The initials of what a response says became of a read, of a change, and of a change that it shows. */
type Outcomes = string;

function outcomesOf(envelope: IDataObject, isUndocumented = false): Outcomes {
	const request = { ...getProfile, isUndocumented };
	const outcomes = [
		readOutcome(envelope, { ...request, method: 'GET' }),
		readOutcome(envelope, { ...request, method: 'POST' }),
		readOutcome(envelope, { ...request, method: 'POST', confirms: () => true }),
	];
	return outcomes.map(([initial]) => initial).join('');
}

/** `done`, `not applied`, or `unknown`, if the response is documented and if it is not. */
const TABLE: ReadonlyArray<[documented: Outcomes, undocumented: Outcomes, envelopes: IDataObject[]]> = [
	['ddd', 'ddd', [{ status: true }, { status: true, errors: [] }]],
	['ddd', 'nnu', [{ status: true, errors: ['x'], error: 'x' }]],
	['ddd', 'nnn', [{ status: true, success: false }]],
	['nnn', 'nnn', [{ status: false }, { status: 0 }, { status: ' Error ' }, { status: 'failed', success: true }]],
	['uuu', 'ddd', [null, 1, 'true', 'ok', '', {}, [true]].map((status) => ({ status: status as IDataObject }))],
	['uuu', 'ddd', [{ status: 'ok', success: true }]],
	['uuu', 'nnn', [{ status: 'ok', success: false }]],
	['uuu', 'nnu', [{ status: 'ok', errors: ['x'] }]],
	['ddd', 'ddd', [{ success: true }, { success: true, errors: [] }, { success: true, error: null }]],
	['nnn', 'nnn', [{ success: false }, { success: false, errors: ['x'] }]],
	['uuu', 'ddd', [{ success: 'true' }, { success: 1 }, { success: null }]],
	['uuu', 'nnn', [{ success: 0 }, { success: 'failure' }]],
	['nnu', 'nnu', [{ errors: ['x'] }, { errors: { link_id: 'unknown' } }, { errors: 'x' }]],
	['nnu', 'nnu', [{ error: 'x' }, { error: { message: 'x' } }, { error: { code: 7 } }, { error: true }]],
	[
		'nuu',
		'nuu',
		[
			{ success: true, errors: ['x'] },
			{ success: true, error: 'deprecated' },
		],
	],
	['nnu', 'nnu', [{ success: 'yes', errors: ['x'] }]],
	['dud', 'ddd', [{}, { deleted: 1 }, { errors: [] }, { errors: {} }, { errors: [null, ''] }]],
	['dud', 'ddd', [{ error: null }, { error: '' }, { error: { code: 0, message: '' } }]],
];

const ROWS = TABLE.flatMap(([documented, undocumented, envelopes]) =>
	envelopes.map((envelope) => [envelope, documented, undocumented] as const),
);

test.each(ROWS)('The outcomes after the response %j are %s; if it is not documented, %s', (envelope, ...expected) => {
	expect([outcomesOf(envelope), outcomesOf(envelope, true)]).toEqual(expected);
});

test('A documented response with a status is a success only if that is true, whatever else it is', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (status) => {
			const isSuccess = outcomesOf({ status }).includes('d');
			expect(isSuccess).toBe(status === true);
		}),
	);
});

test.each([false, 0, 'false', 'error', 'fail', 'failed', 'failure', 'FAILED', ' Error '])(
	'The status %j reports a failure',
	(status) => {
		expect(isFailedStatus(status)).toBe(true);
	},
);

test.each([true, 1, null, undefined, '', 'true', 'ok', '0', 'no failure', [], {}])(
	'The status %j reports no failure',
	(status) => {
		expect(isFailedStatus(status)).toBe(false);
	},
);

test.each<[IDataObject, boolean, number]>([
	[{ status: true }, false, 0],
	[{ status: false, errors: ['x'] }, false, 0],
	[{ id: 1 }, false, 1],
	[{ status: true }, true, 1],
])('Of the response %j (undocumented: %p), the change is looked for %d times', (envelope, isUndocumented, times) => {
	const confirms = jest.fn(() => true);
	readOutcome(envelope, { ...getProfile, method: 'POST', isUndocumented, confirms });
	expect(confirms).toHaveBeenCalledTimes(times);
});

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isFailedStatus, readVerdict } from '../../../nodes/ProfilePage/service/verdict';

/** The initials of the verdicts on a response: to a read, to a change, and to a change that it shows. */
type Verdicts = string;

function verdictsOn(envelope: IDataObject, isUndocumented = false): Verdicts {
	const request = {
		path: '/',
		idempotent: true,
		subject: 'it',
		effect: ['was', 'done'],
		advice: '',
		isUndocumented,
	} as const;
	const verdicts = [
		readVerdict(envelope, { ...request, method: 'GET' }),
		readVerdict(envelope, { ...request, method: 'POST' }),
		readVerdict(envelope, { ...request, method: 'POST', confirms: () => true }),
	];
	return verdicts.map(([initial]) => initial).join('');
}

/** `succeeded`, `failed`, or `unclear`, if the response is documented and if it is not. */
const TABLE: ReadonlyArray<[documented: Verdicts, undocumented: Verdicts, envelopes: IDataObject[]]> = [
	['sss', 'sss', [{ status: true }, { status: true, errors: [] }]],
	['sss', 'ffu', [{ status: true, errors: ['x'], error: 'x' }]],
	['sss', 'fff', [{ status: true, success: false }]],
	['fff', 'fff', [{ status: false }, { status: 0 }, { status: ' Error ' }, { status: 'failed', success: true }]],
	['uuu', 'sss', [null, 1, 'true', 'ok', '', {}, [true]].map((status) => ({ status: status as IDataObject }))],
	['uuu', 'sss', [{ status: 'ok', success: true }]],
	['uuu', 'fff', [{ status: 'ok', success: false }]],
	['uuu', 'ffu', [{ status: 'ok', errors: ['x'] }]],
	['sss', 'sss', [{ success: true }, { success: true, errors: [] }, { success: true, error: null }]],
	['fff', 'fff', [{ success: false }, { success: false, errors: ['x'] }]],
	['uuu', 'sss', [{ success: 'true' }, { success: 1 }, { success: null }]],
	['uuu', 'fff', [{ success: 0 }, { success: 'failure' }]],
	['ffu', 'ffu', [{ errors: ['x'] }, { errors: { link_id: 'unknown' } }, { errors: 'x' }]],
	['ffu', 'ffu', [{ error: 'x' }, { error: { message: 'x' } }, { error: { code: 7 } }, { error: true }]],
	[
		'fuu',
		'fuu',
		[
			{ success: true, errors: ['x'] },
			{ success: true, error: 'deprecated' },
		],
	],
	['ffu', 'ffu', [{ success: 'yes', errors: ['x'] }]],
	['sus', 'sss', [{}, { deleted: 1 }, { errors: [] }, { errors: {} }, { errors: [null, ''] }]],
	['sus', 'sss', [{ error: null }, { error: '' }, { error: { code: 0, message: '' } }]],
];

const ROWS = TABLE.flatMap(([documented, undocumented, envelopes]) =>
	envelopes.map((envelope) => [envelope, documented, undocumented] as const),
);

test.each(ROWS)('The verdicts on the response %j are %s; if it is not documented, %s', (envelope, ...expected) => {
	expect([verdictsOn(envelope), verdictsOn(envelope, true)]).toEqual(expected);
});

test('A documented response with a status is a success only if that is true, whatever else it is', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (status) => {
			const isSuccess = verdictsOn({ status }).includes('s');
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
	readVerdict(envelope, {
		method: 'POST',
		path: '/',
		idempotent: true,
		subject: 'it',
		effect: ['was', 'done'],
		advice: '',
		isUndocumented,
		confirms,
	});
	expect(confirms).toHaveBeenCalledTimes(times);
});

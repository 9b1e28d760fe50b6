import type { IExecuteFunctions } from 'n8n-workflow';

import { arrangementReader } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';

/** Returns a node that rotates by the day, in the execution of an input item. */
const rotation = (item: object, timeZone = 'UTC') =>
	({
		getInputData: () => [item],
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			name === 'arrangement' ? 'rotate' : fallback,
		getTimezone: () => timeZone,
	}) as unknown as IExecuteFunctions;

const arrange = (context: IExecuteFunctions) => arrangementReader(context)(0)(['a', 'b', 'c']);

afterEach(() => jest.useRealTimers());

test('The arrangement is the same for all items and tries, though midnight passes while they are read', () => {
	jest.useFakeTimers({ now: Date.parse('2026-11-21T23:59:59.999Z') });
	const item = {};
	const readArrangement = arrangementReader(rotation(item));
	const first = readArrangement(0)(['a', 'b', 'c']);
	jest.advanceTimersByTime(1);
	expect(readArrangement(1)(['a', 'b', 'c'])).toEqual(first);
	expect(arrange(rotation(item))).toEqual(first);
	expect(arrange(rotation({}))).not.toEqual(first);
});

test('A time zone that n8n does not know is refused', () => {
	expect(() => arrange(rotation({}, 'Mars/Phobos'))).toThrow(
		'Rotate Every: n8n does not know the time zone "Mars/Phobos"',
	);
});

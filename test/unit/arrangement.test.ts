import type { IExecuteFunctions } from 'n8n-workflow';

import { arrangementReader } from '../../nodes/ProfilePage/resources/blocks/arrangement';

test('The arrangement is the same for all items, though midnight passes while they are read', () => {
	const context = {
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			name === 'arrangement' ? 'rotate' : fallback,
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	jest.useFakeTimers({ now: Date.parse('2026-11-21T23:59:59.999Z') });
	const readArrangement = arrangementReader(context);
	const first = readArrangement(0)(['a', 'b', 'c']);
	jest.advanceTimersByTime(1);
	expect(readArrangement(1)(['a', 'b', 'c'])).toEqual(first);
	expect(arrangementReader(context)(0)(['a', 'b', 'c'])).not.toEqual(first);
	jest.useRealTimers();
});

/** Shortens the built node's pauses before retries. Time limits are not shortened, because a busy machine could exceed them. */
import type * as waiting from '../../nodes/ProfilePage/service/waiting';

/** Pauses are shorter by this factor. */
const PAUSE_DIVISOR = 20;

let divisor = PAUSE_DIVISOR;

/** Leaves the pauses of a file's tests as they are: the clock is not shortened, so rate limits need real ones. */
export function useRealPauses(): void {
	beforeAll(() => (divisor = 1));
	afterAll(() => (divisor = PAUSE_DIVISOR));
}

/** The pauses before they were shortened, in milliseconds. */
export const pauses: number[] = [];

const MODULE = '../../dist/nodes/ProfilePage/service/waiting';

jest.mock('../../dist/nodes/ProfilePage/service/waiting', () => {
	const actual = jest.requireActual<typeof waiting>(MODULE);
	const pause: typeof waiting.pause = async (milliseconds, signal) => {
		pauses.push(milliseconds);
		await actual.pause(milliseconds / divisor, signal);
	};
	return { ...actual, pause };
});

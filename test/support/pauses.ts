/**
 * Shortens the built node's pauses before retries and between batches. Time limits are not shortened,
 * because a busy machine could exceed them.
 */
import type * as waiting from '../../nodes/ProfilePage/service/waiting';

/** Pauses are shorter by this factor. */
export const PAUSE_DIVISOR = 20;

/** The pauses before they were shortened, in milliseconds. */
export const pauses: number[] = [];

const MODULE = '../../dist/nodes/ProfilePage/service/waiting';

jest.mock('../../dist/nodes/ProfilePage/service/waiting', () => {
	const actual = jest.requireActual<typeof waiting>(MODULE);
	const pause: typeof waiting.pause = async (milliseconds, signal) => {
		pauses.push(milliseconds);
		await actual.pause(milliseconds / PAUSE_DIVISOR, signal);
	};
	return { ...actual, pause };
});

import type { Ended } from '../../nodes/ProfilePage/service/failure';

/** Returns the result of something that was done. Throws an error with the problem if it failed. */
export async function resultOf<T>(ending: Promise<Ended<T> | undefined>): Promise<T> {
	const ended = await ending;
	if (ended?.outcome === 'done') return ended.result;
	throw new Error(ended?.problem ?? 'There is no result');
}

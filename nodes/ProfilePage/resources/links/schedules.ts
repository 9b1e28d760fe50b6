import type { IExecuteFunctions } from 'n8n-workflow';

import { forget, remember } from '../../n8n/nodeMemory';

/** For how long after its date a link may be missing in the list of the service. */
const LISTED_AFTER_MS = 600_000;

/**
 * Returns what a node remembers of a link that it schedules, which no list contains until it is public. A link is
 * remembered as tried and open before its request; once that has succeeded, it is open no more. So whenever the node is
 * stopped, a link is never taken for scheduled that is not.
 *
 * @param link its account, and its address as it is compared
 */
export function scheduleOf(context: IExecuteFunctions, link: readonly string[], from = '') {
	const date = Date.parse(from);
	const toText = (what: string | number) => JSON.stringify([...link, what]);
	const [tried, open, time] = [toText('tried'), toText('open'), toText(date)];
	// If that fails, the link stays open: later runs do not create it, and say why.
	const remove = async (...texts: string[]) => await forget(context, texts).catch(() => undefined);
	return {
		/** Whether the list need not contain it yet. */
		isPending: date > Date.now() - LISTED_AFTER_MS,
		/** Remembers that it is about to be created, if it was not before. Returns what earlier runs did. Throws Failure. */
		begin: async () => {
			const before = await remember(context, [tried, open, time]);
			if (!before) return 'not remembered';
			if (!before.includes(tried)) return 'not tried';
			await remove(...[open, time].filter((each) => !before.includes(each)));
			if (before.includes(open)) return 'unknown';
			return before.includes(time) ? 'scheduled' : 'scheduled for another time';
		},
		/** Remembers that it was created. */
		confirm: async () => await remove(open),
		/** Forgets it, so that it can be scheduled again. */
		forget: async () => await remove(tried, open, time),
	};
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { forget, remember } from '../../n8n/nodeMemory';

/** For how long after its date a link may be missing in the list of the service. */
const LISTED_AFTER_MS = 600_000;

/** Whether lists need not contain a link yet that is public from a time. */
export function isPending(publicFrom = ''): boolean {
	return Date.parse(publicFrom) > Date.now() - LISTED_AFTER_MS;
}

export type Schedule = ReturnType<typeof scheduleOf>;

/**
 * Returns what a node remembers in n8n's database of a link that it schedules, until lists contain it. Before the link is
 * created, three marks are set: that it was tried, that this is still open, and its time. Once it is created, it is open no
 * more. If n8n stops in between, later runs find it open: they do not know whether it was created.
 *
 * @param key its account, and its address as it is compared
 */
export function scheduleOf(context: IExecuteFunctions, key: readonly string[], publicFrom = '') {
	const toMark = (what: string | number) => JSON.stringify([...key, what]);
	const [tried, open, time] = [toMark('tried'), toMark('open'), toMark(Date.parse(publicFrom))];
	// If that fails, the link stays open.
	const remove = async (...marks: string[]) => await forget(context, marks).catch(() => undefined);
	return {
		/** Sets the marks, unless an earlier run has. Returns what earlier runs did. Throws Failure. */
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

/** Everything that Jest can fake but `Date`. */
const REAL = [
	'clearImmediate',
	'clearInterval',
	'clearTimeout',
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'setInterval',
	'setTimeout',
] as const;

/** Stops the date at a moment; timers keep running. `jest.useRealTimers()` restores the date. */
export function stopDate(moment: string | number): void {
	jest.useFakeTimers({ doNotFake: [...REAL], now: new Date(moment) });
}

/**
 * Moves the date forward and stops it there, so that tokens expire without waiting. Timers keep running.
 * `jest.useRealTimers()` restores the date.
 */
export function advanceDate(milliseconds: number): void {
	stopDate(Date.now() + milliseconds);
}

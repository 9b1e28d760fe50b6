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

/**
 * Moves the date forward and stops it there, so that tokens expire without waiting. Timers keep running.
 * `jest.useRealTimers()` restores the date.
 */
export function advanceDate(milliseconds: number): void {
	jest.useFakeTimers({ doNotFake: [...REAL], now: Date.now() + milliseconds });
}

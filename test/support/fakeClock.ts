/**
 * Stops the clock in every test of a file: time passes only when a test advances Jest's fake timers, which drive
 * `AbortSignal.timeout` too.
 *
 * @param now the time at which each test starts, in milliseconds since 1970
 */
export function useFakeClock(now?: number): void {
	beforeEach(() => {
		jest.useFakeTimers({ now });
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			// As the original does.
			if (!Number.isInteger(milliseconds) || milliseconds < 0) throw new RangeError();
			const controller = new AbortController();
			setTimeout(() => controller.abort(), milliseconds);
			return controller.signal;
		});
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}

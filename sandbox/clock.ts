/**
 * The time of the account: when links are created, and when their schedules begin and end. It runs like the real time,
 * can be moved ahead, and can be set back to the real time. All times are in milliseconds since 1970.
 */
export class Clock {
	/** How far it is ahead of the real time, in milliseconds. */
	offset = 0;

	now(): number {
		return Date.now() + this.offset;
	}

	advance(milliseconds: number): void {
		this.offset += milliseconds;
	}
}

/** Returns a time in the service's format: RFC 3339 with whole seconds and a numeric offset. */
export function formatTime(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
}

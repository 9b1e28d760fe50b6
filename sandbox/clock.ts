import { EventEmitter } from 'node:events';

import { BadRequest } from './errors';

/** The last time with a four-digit year, as the service's format requires. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59Z');

/**
 * The time of the account: when links are created, and when their schedules begin and end. It runs like
 * the real time, can be moved ahead, and can be set back to the real time. Emits `change` after it is moved.
 *
 * All times are in milliseconds since 1970.
 */
export class Clock extends EventEmitter<{ change: [] }> {
	#offset: number;

	/** @param start the time it shows first; the real time by default */
	constructor(start?: number) {
		super();
		this.#offset = start === undefined ? 0 : start - Date.now();
	}

	/** How far it is ahead of the real time, in milliseconds. */
	get offset(): number {
		return this.#offset;
	}

	now(): number {
		return Date.now() + this.#offset;
	}

	/** @throws BadRequest if the number is negative, or leads beyond the year 9999 */
	advance(milliseconds: number): void {
		if (!(milliseconds >= 0)) throw new BadRequest('The clock only moves ahead.');
		if (this.now() + milliseconds > LAST_TIME) {
			throw new BadRequest('The clock ends with the year 9999.');
		}
		this.#offset += milliseconds;
		this.emit('change');
	}

	/** Sets it to the real time, for an account that goes back to its first state. */
	reset(): void {
		this.#offset = 0;
		this.emit('change');
	}
}

/** Returns a time in the service's format: RFC 3339 with whole seconds and a numeric offset. */
export function formatTime(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
}

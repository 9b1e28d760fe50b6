import type { FailureDetails } from '../errors';

/** The statuses of a service that is busy or restarts (RFC 6585, section 4; RFC 9110, section 15.6). */
const TRANSIENT_STATUSES = new Set([429, 502, 503, 504]);

/**
 * What an answer that is not success says about another attempt.
 *
 * @param headers with lower-case names
 */
export function describeAnswer(
	status: number,
	headers: Readonly<Record<string, unknown>>,
): FailureDetails {
	return {
		answerStatus: status,
		isTransient: TRANSIENT_STATUSES.has(status),
		retryAfter: readRetryAfter(headers['retry-after']),
	};
}

/**
 * Reads how long the service asks to wait (RFC 9110, section 10.2.3).
 *
 * @param value the header `Retry-After`: seconds, or a date
 * @param now the time, in milliseconds since 1970
 * @returns milliseconds, 0 for a date that is past; undefined if the header is missing or unreadable
 */
export function readRetryAfter(value: unknown, now = Date.now()): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	// Date.parse takes more than the dates of HTTP, such as "-5"; those begin with the name of a day.
	const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const MAX_LENGTH = 100;

/** Cuts a value that a user has entered, to quote it in a message, which is read in a small panel. */
export function shorten(text: string): string {
	if (text.length <= MAX_LENGTH) return text;
	// Not in the middle of a surrogate pair, such as that of an emoji.
	return `${text.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

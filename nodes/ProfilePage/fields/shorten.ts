const MAX_LENGTH = 100;

/** Cuts what a user has entered, to quote it in a message, which is read in a small panel. */
export function shorten(text: string): string {
	return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

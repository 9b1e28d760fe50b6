import { notText, noValue } from '../../fields/entered';
import type { Inserted } from '../../fields/expression';
import { textField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { readPath } from '../../service/address';
import { type Failure, invalid } from '../../shared/failure';
import { isBlank, quotable } from '../../shared/values';

export const pathField = textField('Path', 'path', 'Enter the part after the Base URL, such as /oauth/v1/me.', {
	required: true,
	placeholder: 'e.g. /oauth/v1/me',
	description:
		'The path of the endpoint, relative to the Base URL in the credential, with its query if it has one. An expression inside it needs <code>encodeURIComponent(…)</code> around its value.',
});

/** Returns the path and the query of a request, percent-encoded. Throws Failure if they are invalid. */
export function readPathAndQuery(item: Item): string {
	const { displayName } = pathField.shown;
	for (const inserted of item.entered(pathField.shown).inserted) {
		const failure = findFailure(inserted, displayName);
		if (failure) throw failure;
	}
	const { pathname, search } = readPath(pathField.read(item), displayName, item.paths.baseUrl);
	return search ? `${pathname}?${search}` : pathname;
}

/** What n8n writes for lists without values, objects, and invalid numbers and dates. */
const NO_TEXT = /^[\s,]*$|\[object |^NaN$|^Invalid Date/;

/** What would change the request, not only the text of a part of it; in a query, "+" stands for a space. */
const SPECIAL = /[&#?]|%(?![\da-f]{2})/i;
const SPECIAL_IN_QUERY = /[&#?+]|%(?![\da-f]{2})/i;

function findFailure(inserted: Inserted, displayName: string): Failure | undefined {
	const subject = `the expression ${quotable(inserted.expression)}`;
	if (isBlank(inserted.value)) return noValue(displayName, false, subject);
	const text = String(inserted.value);
	if (NO_TEXT.test(text)) return notText(displayName, inserted);
	const [found] = (inserted.before.includes('?') ? SPECIAL_IN_QUERY : SPECIAL).exec(text) ?? [];
	const advice = 'Encode the value, such as {{ encodeURIComponent($json.id) }}.';
	return found ? invalid(displayName, `${subject} returns a text with "${found}"`, advice) : undefined;
}

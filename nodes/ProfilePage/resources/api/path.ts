import { NO_TEXT, notText, noValue } from '../../fields/entered';
import type { Inserted } from '../../fields/expression';
import { Field, textField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { PATH_ADVICE, readPath } from '../../service/address';
import { invalid } from '../../shared/failure';
import { isBlank, quotable } from '../../shared/values';

const DISPLAY_NAME = 'Path';

const { shown, parse } = textField(DISPLAY_NAME, 'path', PATH_ADVICE, {
	required: true,
	placeholder: 'e.g. /oauth/v1/me',
	description:
		'The path of the endpoint, relative to the Base URL in the credential, with its query if it has one. An expression inside it needs <code>encodeURIComponent(…)</code> around its value.',
});

export const pathField = new Field(shown, (value, entered) => {
	const path = parse(value, entered);
	entered.inserted.forEach(checkInserted);
	return path;
});

/** Returns the path and the query of a request, percent-encoded. Throws Failure if they are invalid. */
export function readPathAndQuery(item: Item): Pick<URL, 'pathname' | 'search'> {
	return readPath(pathField.read(item), DISPLAY_NAME, item.credential.baseUrl);
}

/** What would change the request, not only the text of a part of it. */
const SPECIAL = /[&#?+]|%(?![\da-f]{2})/i;

/** Throws Failure if the value of an expression would make it another request. */
function checkInserted({ expression, before, value }: Inserted): void {
	const subject = `the expression ${quotable(expression)}`;
	if (isBlank(value)) throw noValue(DISPLAY_NAME, subject);
	const text = String(value);
	// Lists without values, and invalid numbers.
	if (NO_TEXT.test(text) || /^[\s,]*$|^NaN$/.test(text)) throw notText(DISPLAY_NAME, subject);
	// Only in a query, "+" stands for a space.
	const [found] = SPECIAL.exec(before.includes('?') ? text : text.replaceAll('+', ' ')) ?? [];
	const advice = 'Encode the value, such as {{ encodeURIComponent($json.id) }}.';
	if (found) throw invalid(DISPLAY_NAME, `${subject} returns a text with "${found}"`, advice);
}

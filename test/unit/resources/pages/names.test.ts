import { Names } from '../../../nodes/ProfilePage/resources/names';
import { failureOf } from '../../support/failureOf';
import { processorTime } from '../../support/processorTime';

/** A page whose blocks have these names, and the IDs b0, b1, and so on. */
function pageOf(...names: string[]): Names {
	const entries = names.map((name, index) => ({ id: `b${index}`, name, json: {} }));
	return new Names(entries, 'block', 'page "Shop"');
}

const SAME: ReadonlyArray<readonly [what: string, one: string, other: string]> = [
	['apostrophes', 'What’s new', "What's new"],
	['an acute accent as an apostrophe', 'Rock´n´Roll', "Rock'n'Roll"],
	['single quotation marks', '‘Best’', "'Best'"],
	['quotation marks', '“Best”', '"Best"'],
	['low quotation marks', '„Best“', '"Best"'],
	['an en dash', '2026 – 2027', '2026 - 2027'],
	['an em dash', 'Tour — Europe', 'Tour - Europe'],
	['a hyphen that breaks no line', 'T\u2011shirts', 'T-shirts'],
	['an ellipsis', 'More…', 'More...'],
	['an ampersand of HTML', 'Dates &amp; places', 'Dates & places'],
	['a comma', 'Tour, 2027', 'Tour 2027'],
	['quotation marks around a name', '"Best"', 'Best'],
	['a bullet before a name', '• Best', 'Best'],
	['full-width letters', 'Ｆａｎｓ', 'Fans'],
	['an accent', 'Café', 'Cafe'],
	['an accent of its own', 'Caf\u00E9', 'Cafe\u0301'],
	['the dotted capital I', 'İstanbul', 'istanbul'],
	['the last sigma', 'ΟΔΟΣ', 'οδος'],
	['both small sigmas', 'οδοσ', 'οδος'],
	['sharp s', 'Straße', 'Strasse'],
	['capital sharp s', 'STRAẞE', 'strasse'],
	['case', 'TOUR dates', 'Tour Dates'],
	['white space', 'Tour\u00A0 dates', 'Tourdates'],
	['invisible characters', 'Tour\u200B\u00AD dates', 'Tour dates'],
];

describe.each(SAME)('Names that differ only by %s', (_what, one, other) => {
	test('are the same, both ways', () => {
		expect(pageOf('Vinyl', one).findOne(other, 'Blocks').id).toBe('b1');
		expect(pageOf('Vinyl', other).findOne(one, 'Blocks').id).toBe('b1');
	});

	test('are two blocks if both exist, each found by its own name', () => {
		expect(pageOf(one, other).findOne(one, 'Blocks').id).toBe('b0');
		expect(pageOf(one, other).findOne(other, 'Blocks').id).toBe('b1');
	});
});

test.each([
	['another mark in another script', 'パパ', 'ハハ'],
	['a number', 'Tour 1', 'Tour 2'],
	['a number before a name', '1. Vinyl', 'Vinyl'],
	['a symbol', 'C+', 'C'],
	['an accent alone', '\u0301', ''],
])('Names that differ by %s are not the same', (_what, one, other) => {
	expect(pageOf(one).find(other)).toEqual([]);
	expect(pageOf(other).find(one)).toEqual([]);
});

test('A name that two blocks have in other ways is asked back, and both are shown', () => {
	const page = pageOf('What’s new', 'Vinyl', 'WHAT‘S NEW');
	const failure = failureOf(() => page.findOne("What's new", 'Blocks'));
	expect(failure).toMatchObject({
		problem: `Blocks: 2 blocks of page "Shop" are called "What's new": "b0" ("What’s new", position 0), "b2" ("WHAT‘S NEW", position 2)`,
		advice: 'Enter one of these IDs in place of the name.',
	});
});

test('Thousands of names that differ by case from those of many blocks take little time', async () => {
	const page = pageOf(...Array.from({ length: 500 }, (_, index) => `Name ${index}`));
	const texts = Array.from({ length: 5000 }, (_, index) => `name ${index % 500}`);
	const findAll = () => expect(texts.every((text) => page.find(text).length === 1)).toBe(true);
	expect(await processorTime(findAll, 1000)).toBeLessThan(1000);
});

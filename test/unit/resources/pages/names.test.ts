import { Names } from '../../../../nodes/ProfilePage/resources/pages/names';
import { failureOf } from '../../../support/failureOf';
import { processorTime } from '../../../support/processorTime';

/** A page whose blocks have these names, and the IDs b0, b1, and so on. */
function pageOf(...names: string[]): Names {
	const entries = names.map((name, index) => ({ id: `b${index}`, name, json: {} }));
	return new Names(entries, 'block', 'page "Shop"');
}

const SAME: ReadonlyArray<readonly [what: string, one: string, other: string]> = [
	['apostrophes', 'What’s new', "What's new"],
	['an acute accent as an apostrophe', 'Rock´n´Roll', "Rock'n'Roll"],
	['quotation marks', '“Best”', '"Best"'],
	['an en dash', '2026 – 2027', '2026 - 2027'],
	['a hyphen that breaks no line', 'T\u2011shirts', 'T-shirts'],
	['an ellipsis', 'More…', 'More...'],
	['an ampersand of HTML', 'Dates &amp; places', 'Dates & places'],
	['a comma', 'Tour, 2027', 'Tour 2027'],
	['quotation marks around a name', '"Best"', 'Best'],
	['a bullet before a name', '• Best', 'Best'],
	['full-width letters', 'Ｆａｎｓ', 'Fans'],
	['an accent of its own', 'Caf\u00E9', 'Cafe\u0301'],
	['the dotted capital I', 'İstanbul', 'istanbul'],
	['both small sigmas', 'οδοσ', 'οδος'],
	['capital sharp s', 'STRAẞE', 'strasse'],
	['case', 'TOUR dates', 'Tour Dates'],
	['white space', 'Tour\u00A0 dates', 'Tourdates'],
	['invisible characters', 'Tour\u200B\u00AD dates', 'Tour dates'],
];

test.each(SAME)(
	'Names that differ only by %s are the same, both ways, and two blocks if both exist',
	(_what, one, other) => {
		expect(pageOf('Vinyl', one).findOne(other, 'Blocks').id).toBe('b1');
		expect(pageOf('Vinyl', other).findOne(one, 'Blocks').id).toBe('b1');
		expect(pageOf(one, other).findOne(one, 'Blocks').id).toBe('b0');
		expect(pageOf(one, other).findOne(other, 'Blocks').id).toBe('b1');
	},
);

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

test.each<[string, Names, string, string, string]>([
	[
		'a name that two have in other ways',
		pageOf('What’s new', 'Vinyl', 'WHAT‘S NEW'),
		"What's new",
		`Blocks: 2 blocks of page "Shop" are called "What's new": "b0" ("What’s new", position 0), "b2" ("WHAT‘S NEW", position 2)`,
		'Enter one of these IDs in place of the name.',
	],
	[
		'what none of many is called',
		pageOf(...Array.from({ length: 14 }, (_, index) => `N${index}`)),
		'X',
		'Blocks: no block of page "Shop" is called "X". It has: "N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9" and 4 more',
		'Use one of these names.',
	],
	[
		'any name where there is none',
		pageOf(),
		'X',
		'Blocks: no block of page "Shop" is called "X". It has: none',
		'Use one of these names.',
	],
])('%s is asked back, with what there is', (_what, page, text, problem, advice) => {
	expect(failureOf(() => page.findOne(text, 'Blocks'))).toMatchObject({ problem, advice });
});

test('Thousands of names that differ by case from those of many blocks take little time', async () => {
	const page = pageOf(...Array.from({ length: 500 }, (_, index) => `Name ${index}`));
	const texts = Array.from({ length: 5000 }, (_, index) => `name ${index % 500}`);
	const findAll = () => expect(texts.every((text) => page.find(text).length === 1)).toBe(true);
	expect(await processorTime(findAll, 1000)).toBeLessThan(1000);
});

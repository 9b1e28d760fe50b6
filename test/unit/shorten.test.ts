import { shorten } from '../../nodes/ProfilePage/fields/shorten';

test('a text of 100 characters is quoted whole, a longer one is cut', () => {
	expect(shorten('x'.repeat(100))).toBe('x'.repeat(100));
	expect(shorten('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
});

test('a text is not cut in the middle of an emoji', () => {
	expect(shorten(`${'x'.repeat(99)}😀😀`)).toBe(`${'x'.repeat(99)}…`);
});

import fc from 'fast-check';

/**
 * Any character. `unit: 'binary'` of `fc.string` and `fc.webUrl` first index all of Unicode, which takes
 * a second in each test file.
 */
const character = fc
	.oneof(fc.nat(0xff), fc.nat(0xffff), fc.nat(0x10ffff))
	.map((code) => String.fromCodePoint(code))
	.filter((text) => !/\p{Cs}/u.test(text));

/** Texts of any characters. */
export const anyText = fc.string({ unit: character });

const segment = fc.string({
	maxLength: 8,
	unit: fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@".match(/./g)!) },
		{ weight: 1, arbitrary: character.map(encodeURIComponent) },
	),
});
const segmentAfter = (mark: string) => segment.map((text) => `${mark}${text}`);

/** Addresses of web pages, with and without a query and a fragment. */
export const webAddresses = fc
	.tuple(
		fc.constantFrom('http://', 'https://'),
		fc.webAuthority(),
		fc.array(segmentAfter('/'), { maxLength: 4 }).map((segments) => segments.join('')),
		fc.option(segmentAfter('?'), { nil: '' }),
		fc.option(segmentAfter('#'), { nil: '' }),
	)
	.map((parts) => parts.join(''));

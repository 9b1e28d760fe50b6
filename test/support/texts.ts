import fc from 'fast-check';

/**
 * Any character. The same as `unit: 'binary'` of `fc.string`, and what `fc.webUrl` is made of, but both
 * take a second in each test file to index all of Unicode.
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
		{ weight: 4, arbitrary: fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@") },
		{ weight: 1, arbitrary: character.map(encodeURIComponent) },
	),
});

/** Addresses of web pages, with and without a query and a fragment. */
export const webAddresses = fc
	.tuple(
		fc.constantFrom('http', 'https'),
		fc.webAuthority(),
		fc.array(
			segment.map((text) => `/${text}`),
			{ maxLength: 4 },
		),
		fc.option(
			segment.map((text) => `?${text}`),
			{ nil: '' },
		),
		fc.option(
			segment.map((text) => `#${text}`),
			{ nil: '' },
		),
	)
	.map(
		([scheme, host, path, query, fragment]) =>
			`${scheme}://${host}${path.join('')}${query}${fragment}`,
	);

import fc from 'fast-check';

import { parseUrl } from '../../../nodes/ProfilePage/shared/values';

test('parseUrl rejects a host of more than 500 characters before parsing it, however its slashes are written', () => {
	const slashes = fc.array(fc.constantFrom('/', '\\', '\t', '\n', '\r'), { maxLength: 9 });
	const schemes = fc.constantFrom('https:', 'http:', ' h\tttps:', 'ws:', 'file:', '');
	const parse = jest.spyOn(globalThis, 'URL');
	fc.assert(
		fc.property(schemes, slashes, fc.constantFrom('a', '\u0301', '一'), (scheme, separators, letter) => {
			const address = `${scheme}${separators.join('')}${letter.repeat(501)}/path`;
			expect(parseUrl(address)).toBeUndefined();
		}),
	);
	expect(parse.mock.calls).toHaveLength(0);
	parse.mockRestore();
	const host = `${'a'.repeat(240)}.example`;
	const path = 'ä'.repeat(100_000);
	expect(parseUrl(`https://${host}/${path}?${path}#${path}`)?.host).toBe(host);
});

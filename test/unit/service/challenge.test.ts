import fc from 'fast-check';

import { readChallenge } from '../../../nodes/ProfilePage/service/response';

const read = (header: unknown) => readChallenge({ 'www-authenticate': header } as never);
const NOTHING = { error: undefined, description: undefined };

test.each([
	['Bearer error="insufficient_scope", error_description="Ask for links."', 'insufficient_scope', 'Ask for links.'],
	['bearer realm="a, error=b",error=invalid_token', 'invalid_token', undefined],
	['Basic realm="x", Bearer error="invalid_token"', 'invalid_token', undefined],
	[
		String.raw`Bearer error_description="Say \"links\".", ERROR="insufficient_scope"`,
		'insufficient_scope',
		'Say "links".',
	],
])('The challenge %s says why', (header, error, description) => {
	expect(read(header)).toEqual({ error, description });
});

test.each([undefined, null, 5, [], '', 'Bearer', 'Bearer realm="x"', 'Basic error="x"', 'Bearer my_error="x"'])(
	'The challenge %j says nothing',
	(header) => {
		expect(read(header)).toEqual(expect.objectContaining({}));
		expect({ ...NOTHING, ...read(header) }).toEqual(NOTHING);
	},
);

test('Any challenge is read', () => {
	fc.assert(fc.property(fc.anything(), (header) => expect(() => read(header)).not.toThrow()));
	fc.assert(fc.property(fc.string(), (text) => expect(() => read(`Bearer ${text}`)).not.toThrow()));
});

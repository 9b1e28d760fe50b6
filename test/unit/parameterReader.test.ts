import type { IExecuteFunctions } from 'n8n-workflow';

import { parameterReader } from '../../nodes/ProfilePage/fields/parameterReader';
import { readFirstCredential } from '../../nodes/ProfilePage/transport/credential';

test.each([
	['is read from the input item', 'profilePage', 'of the input'],
	['is left to n8n in a tool, whose input item comes from the model', 'profilePageTool', 'of n8n'],
])('a path into the item %s', (_how, type, expected) => {
	const context = {
		getNode: () => ({ type }),
		getInputData: () => [{ json: { title: 'of the input' } }],
		getNodeParameter: (_name: string, _item: number, _fallback: unknown, options?: object) =>
			options ? '={{ $json.title }}' : 'of n8n',
	} as unknown as IExecuteFunctions;
	expect(parameterReader(context, { name: 'title', default: '' })(0)).toBe(expected);
});

test('an expression in the credential of a tool is left to n8n, for each item', async () => {
	const getCredentials = jest.fn(function (this: object) {
		return Promise.resolve({ baseUrl: 'https://example.com', clientId: Object.keys(this).join() });
	});
	const context = Object.create({
		getNode: () => ({ type: 'profilePageTool', parameters: {} }),
		getInputData: () => [{ json: { clientId: 'of a model' } }],
		getCredentials,
	}) as IExecuteFunctions;
	const { credential, isPerItem } = await readFirstCredential(context);
	expect(credential.data.clientId).toBe('');
	expect(isPerItem).toBe(true);
});

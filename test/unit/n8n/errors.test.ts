import { ExpressionError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../nodes/ProfilePage/n8n/errors';
import { failureOf, invalid, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';

const node = { name: 'Profile Page', type: 'profilePage' } as INode;
const details = 'Unknown outcome: item 0.';

describe('The node error', () => {
	test('for an error of n8n, such as that of an expression, is that error', () => {
		const error = new ExpressionError('Referenced node is unexecuted');
		expect(toNodeError(node, failureOf(error), 3)).toBe(error);
	});

	test('for an error of n8n contains the report on the items', () => {
		const error = new ExpressionError('Referenced node is unexecuted', { description: 'Run it.' });
		expect(toNodeError(node, failureOf(error), 0, { details })).toMatchObject({
			message: 'Referenced node is unexecuted',
			description: `Run it. ${details}`,
		});
	});

	test.each([
		['an unexpected error', new TypeError('x is not a function'), 'x is not a function', ''],
		['something thrown that is no error', 'text', 'text', ''],
		[
			'an invalid parameter',
			invalid('Page ID', 'the value is empty', 'Enter it.'),
			'Page ID: the value is empty',
			'En',
		],
		['a canceled execution', STOPPED, 'The execution was canceled', ''],
	])('for %s is a NodeOperationError that names the item', (_what, thrown, message, description) => {
		const error = toNodeError(node, thrown === STOPPED ? STOPPED : failureOf(thrown), 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message, context: { itemIndex: 3 } });
		expect((error as NodeOperationError).description ?? '').toMatch(new RegExp(`^${description}`));
	});

	test('for a failed request is a NodeApiError with its status and the report on other items', () => {
		const failure = requestFailure('the service failed (503)', 'Try again.', { status: 503 });
		const error = toNodeError(node, failure, 3, { summary: 'item 3 of 9 failed', details });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The service failed (503) – item 3 of 9 failed',
			description: `Try again. ${details}`,
			httpCode: '503',
			context: { itemIndex: 3 },
		});
	});

	test('keeps a message that contains the name of a system error, which n8n would replace', () => {
		const message = 'The link "ECONNREFUSED" was not created';
		expect(toNodeError(node, requestFailure(message), 0).message).toBe(message);
	});
});

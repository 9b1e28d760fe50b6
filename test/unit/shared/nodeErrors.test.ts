import { ExpressionError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../nodes/ProfilePage/shared/nodeErrors';
import { ServiceError, ValidationError } from '../../../nodes/ProfilePage/shared/errors';

const node = { name: 'Profile Page', type: 'profilePage' } as INode;

describe('toNodeError', () => {
	test('returns an error of n8n, such as that of an expression, as it is', () => {
		const error = new ExpressionError('Referenced node is unexecuted');
		expect(toNodeError(node, error, 3)).toBe(error);
	});

	test('adds the report on the items to it', () => {
		const error = new ExpressionError('Referenced node is unexecuted', { description: 'Run it.' });
		const details = 'Unknown outcome: item 0.';
		expect(toNodeError(node, error, 0, { details })).toMatchObject({
			message: 'Referenced node is unexecuted',
			description: 'Run it. Unknown outcome: item 0.',
		});
	});

	test('wraps an unexpected error, and names its item', () => {
		const error = toNodeError(node, new TypeError('x is not a function'), 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'x is not a function', context: { itemIndex: 3 } });
	});

	test('returns a NodeOperationError for an invalid parameter, with what to do as description', () => {
		const error = toNodeError(node, new ValidationError('Page ID', 'the value is empty', 'Enter it.'), 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: 'Page ID: the value is empty',
			description: 'Enter it.',
			context: { itemIndex: 3 },
		});
	});

	test('returns a NodeApiError for a failed request, with its status and the report on other items', () => {
		const failure = new ServiceError('Not reordered', 'Try again.', { status: 503 });
		const report = { summary: 'item 3 of 9 failed', details: 'Failed: item 3.' };
		const error = toNodeError(node, failure, 3, report);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Not reordered – item 3 of 9 failed',
			description: 'Try again. Failed: item 3.',
			httpCode: '503',
			context: { itemIndex: 3 },
		});
	});

	test('keeps a message that contains the name of a system error, which n8n replaces', () => {
		const message = 'The link "ECONNREFUSED" was not created';
		expect(toNodeError(node, new ServiceError(message), 0).message).toBe(message);
	});
});

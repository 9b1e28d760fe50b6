import { ExpressionError, type INode, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../nodes/ProfilePage/n8n/errors';
import { failureOf, STOPPED } from '../../../nodes/ProfilePage/service/failure';

const node = { name: 'Profile Page', type: 'profilePage' } as INode;

describe('The node error', () => {
	test('for an error of n8n, such as that of an expression, is that error', () => {
		const error = new ExpressionError('Referenced node is unexecuted');
		expect(toNodeError(node, failureOf(error), 3)).toBe(error);
	});

	test('for an error of n8n contains the report on the items', () => {
		const details = 'Unknown outcome: item 0.';
		const error = new ExpressionError('Referenced node is unexecuted', { description: 'Run it.' });
		expect(toNodeError(node, failureOf(error), 0, { details })).toMatchObject({
			message: 'Referenced node is unexecuted',
			description: `Run it. ${details}`,
		});
	});

	test.each([
		['an unexpected error', failureOf(new TypeError('x is not a function')), 'x is not a function'],
		['something thrown that is no error', failureOf('text'), 'text'],
		['a canceled execution', STOPPED, 'The execution was canceled'],
	])('for %s is a NodeOperationError that names the item', (_what, failure, message) => {
		const error = toNodeError(node, failure, 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message, context: { itemIndex: 3 } });
	});
});

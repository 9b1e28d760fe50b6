import {
	ExecutionBaseError,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { ExecutionStopped, FieldError, ServiceError } from '../errors';

/**
 * @param report what became of the other items, to end the message with
 * @returns the error as n8n shows it: with its own message and the index of its item
 */
export function toNodeError(node: INode, error: unknown, itemIndex: number, report = ''): Error {
	if (error instanceof ServiceError) return toApiError(node, error, itemIndex, report);
	if (error instanceof FieldError || error instanceof ExecutionStopped) {
		const message = join(error.message, report);
		return keepMessage(new NodeOperationError(node, message, { itemIndex }), message);
	}
	// n8n's own errors, such as those of expressions, are made for its editor already.
	if (error instanceof ExecutionBaseError) return error;
	return new NodeOperationError(node, error as Error, { itemIndex });
}

/** @returns an item that n8n sends to the error output: `error` is all that it holds */
export function toErrorItem(node: INode, error: unknown, itemIndex: number): INodeExecutionData {
	const { message } = toNodeError(node, error, itemIndex);
	return { json: { error: message }, pairedItem: { item: itemIndex } };
}

/**
 * @returns the error for a list that the editor could not load. Never a NodeApiError: where options can't
 *   be loaded, the editor shows "[object Object]" of that.
 */
export function toListError(node: INode, { message }: Error): NodeOperationError {
	return keepMessage(new NodeOperationError(node, message), message);
}

function toApiError(
	node: INode,
	{ message: words, details }: ServiceError,
	itemIndex: number,
	report: string,
): NodeApiError {
	const message = join(words, report);
	const httpCode = details.answerStatus && String(details.answerStatus);
	// Made of the message alone: what n8n's request helper throws holds the access token.
	const error = new NodeApiError(
		node,
		{ message },
		{ message, itemIndex, ...(httpCode && { httpCode }) },
	);
	return keepMessage(error, message);
}

function join(message: string, report: string): string {
	return report ? `${message} ${report}` : message;
}

/** n8n puts its own words in place of a message in which it finds the name of a system error. */
function keepMessage<T extends Error>(error: T, message: string): T {
	error.message = message;
	return error;
}

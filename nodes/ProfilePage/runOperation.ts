import {
	ExecutionBaseError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { FieldError, ServiceError } from './explainedErrors';
import { type Call, isRefusal, type Operation, type Refusal } from './operation';
import { callService } from './wire/callService';

/**
 * Runs an operation on all input items. Everything is read before anything is sent, so that a bad
 * item stops the node before it has changed a page.
 *
 * @returns the output items, in the order of the input; with Continue on Fail, an error item in
 *   place of each call that failed
 * @throws NodeOperationError for a field that can't be used, NodeApiError for an answer that is not
 *   success, each with the index of its item, unless Continue on Fail is on
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const calls = operation.plan(context);
	if (!context.continueOnFail()) stopAtRefusal(context.getNode(), calls);

	const output: INodeExecutionData[] = [];
	for (const call of calls) {
		for (const item of await runCall(context, call)) output.push(item);
	}
	return output;
}

function stopAtRefusal(node: INode, calls: ReadonlyArray<Call | Refusal>): void {
	for (const call of calls) {
		if (isRefusal(call)) throw toNodeError(node, call.error, call.itemIndex);
	}
}

async function runCall(
	context: IExecuteFunctions,
	call: Call | Refusal,
): Promise<INodeExecutionData[]> {
	try {
		if (isRefusal(call)) throw call.error;
		return call.toItems(await callService(context, call.request));
	} catch (error) {
		const nodeError = toNodeError(context.getNode(), error, call.itemIndex);
		if (!context.continueOnFail()) throw nodeError;
		// n8n sends an item to the error output if `error` is all that it holds.
		return [{ json: { error: nodeError.message }, pairedItem: { item: call.itemIndex } }];
	}
}

/** @returns the error as n8n shows it: with its own message and the index of its item */
function toNodeError(node: INode, error: unknown, itemIndex: number): Error {
	if (error instanceof ServiceError) return toApiError(node, error, itemIndex);
	if (error instanceof FieldError) {
		return keepMessage(new NodeOperationError(node, error.message, { itemIndex }), error.message);
	}
	// n8n's own errors, such as those of expressions, are made for its editor already.
	if (error instanceof ExecutionBaseError) return error;
	return new NodeOperationError(node, error as Error, { itemIndex });
}

function toApiError(node: INode, error: ServiceError, itemIndex: number): NodeApiError {
	const { message, answerStatus } = error;
	// Made of the message alone: what n8n's request helper throws holds the access token.
	return keepMessage(
		new NodeApiError(
			node,
			{ message },
			{ message, itemIndex, ...(answerStatus && { httpCode: String(answerStatus) }) },
		),
		message,
	);
}

/** n8n puts its own words in place of a message in which it finds the name of a system error. */
function keepMessage<T extends Error>(error: T, message: string): T {
	error.message = message;
	return error;
}

import { ExecutionBaseError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ExecutionCanceled, ExplainedError, ServiceError } from './errors';

/** Returns an error as n8n shows it. The report on the other items goes into the message and the description. */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	{ summary, details }: { summary?: string; details?: string } = {},
): Error {
	const isExplained = error instanceof ExplainedError;
	if (!isExplained && !(error instanceof ExecutionCanceled)) {
		// n8n's own errors, such as those of expressions, are made for its editor.
		const isOfN8n = error instanceof ExecutionBaseError;
		const known = isOfN8n ? error : new NodeOperationError(node, error as Error, { itemIndex });
		const description = joined(' ', known.description, details);
		return Object.assign(known, { message: joined(' – ', known.message, summary), description });
	}
	const message = joined(' – ', error.message, summary);
	const description = joined(' ', isExplained && error.advice, details);
	const status = isExplained && error.details.status;
	const options = { message, description, itemIndex, ...(status && { httpCode: `${status}` }) };
	// Made of our own words alone: what n8n's request helper throws contains the access token.
	const isOfService = error instanceof ServiceError;
	const nodeError = isOfService ? new NodeApiError(node, {}, options) : new NodeOperationError(node, message, options);
	// n8n replaces messages that contain the name of a system error.
	return Object.assign(nodeError, { message });
}

function joined(separator: string, ...texts: unknown[]): string {
	return texts.filter(Boolean).join(separator);
}

/** Returns an item for the error output. n8n sends it there because it contains nothing but `error`. */
export function toErrorItem(node: INode, error: unknown, itemIndex: number) {
	return { json: { error: textOf(node, error) }, pairedItem: { item: itemIndex } };
}

/**
 * Returns an error for places that show only its message: lists that cannot be loaded, and activations that fail. Not a
 * NodeApiError: for a list, the editor shows "[object Object]" for that.
 */
export function toErrorInOneText(node: INode, error: unknown): NodeOperationError {
	const message = textOf(node, error);
	return Object.assign(new NodeOperationError(node, message), { message });
}

function textOf(node: INode, error: unknown): string {
	return error instanceof ExplainedError ? error.text : toNodeError(node, error, 0).message;
}

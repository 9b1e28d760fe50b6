import { ExecutionBaseError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { Failed, type Failure } from '../service/failure';
import { adviseOn, inOneText, inWords } from '../service/words';
import { asObject, isObject, joined } from '../shared/values';

/** What a node adds to the words of a failure. */
export interface Report {
	/** Added to the message. */
	readonly summary?: string;
	/** Added to the description. */
	readonly details?: string;
	/** Whether the node has options that users can set. */
	readonly hasOptions?: boolean;
}

/** Returns the error by which n8n shows a failure. */
export function toNodeError(node: INode, failure: Failure, itemIndex?: number, report: Report = {}): Error {
	const { cause, kind, status } = failure;
	const { summary, details, hasOptions } = report;
	if (cause) {
		// n8n's own errors, such as those of expressions, are made for its editor.
		const isOfN8n = cause instanceof ExecutionBaseError;
		const error = isOfN8n ? cause : new NodeOperationError(node, cause, { itemIndex });
		const description = joined(' ', error.description, adviseOn(failure), details);
		return Object.assign(error, { message: joined(' – ', error.message, summary), description });
	}
	const words = inWords(failure, hasOptions);
	const message = joined(' – ', words.message, summary);
	const description = joined(' ', words.description, details);
	const options = { message, description, itemIndex, ...(status && { httpCode: `${status}` }) };
	// Made of our own words alone: what n8n's request helper throws contains the access token.
	const isOfService = kind === 'request' || kind === 'token';
	const nodeError = isOfService ? new NodeApiError(node, {}, options) : new NodeOperationError(node, message, options);
	// n8n replaces messages that contain the name of a system error.
	return Object.assign(nodeError, { message });
}

/** Returns an item for the error output. n8n sends it there because it contains nothing but `error`. */
export function toErrorItem(node: INode, failure: Failure, itemIndex: number) {
	return { json: { error: oneTextOf(node, failure, true) }, pairedItem: { item: itemIndex } };
}

/**
 * Returns an error for places that show only its message: lists that cannot be loaded, and activations that fail. Not a
 * NodeApiError: for a list, the editor shows "[object Object]" for that.
 */
export function toErrorInOneText(node: INode, failure: Failure): NodeOperationError {
	const message = oneTextOf(node, failure, false);
	return Object.assign(new NodeOperationError(node, message), { message });
}

function oneTextOf(node: INode, failure: Failure, hasOptions: boolean): string {
	if (!failure.cause) return inOneText(failure, hasOptions);
	return joined('. ', toNodeError(node, failure, 0).message, adviseOn(failure));
}

/** The error of a credential. n8n wraps it in one of its own, in which only the message and the context remain. */
export class CredentialError extends ExecutionBaseError {
	constructor(failure: Failure) {
		super(inOneText(failure));
		this.context = { failure };
	}
}

/** Returns what the work of a credential returns. n8n calls it, so a failure is thrown as a {@link CredentialError}. */
export async function withCredentialErrors<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof Failed ? new CredentialError(error.failure) : (error as Error);
	}
}

/** Returns the failure of a credential that n8n's error wraps; undefined if there is none. */
export function findCredentialFailure(error: unknown): Failure | undefined {
	const { failure } = asObject(asObject(error).context);
	// Written by the constructor of CredentialError.
	return isObject(failure) ? (failure as unknown as Failure) : undefined;
}

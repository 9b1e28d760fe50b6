import { ExecutionBaseError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asTokenFailure } from '../service/token';
import { Failure, type FailureData } from '../shared/failure';
import { asObject, isObject, joined } from '../shared/values';
import { adviceOn, messageOf, sentence } from './words';

/** What a node says besides why something was not done. */
export interface ErrorDetails {
	/** The index of the input item; undefined if the node has a single one. */
	readonly itemIndex?: number;
	/** At the end of the message. */
	readonly summary?: string;
	/** At the end of the description. */
	readonly details?: string;
}

/** Returns the error by which n8n shows a failure. */
export function toNodeError(node: INode, failure: Failure, report: ErrorDetails = {}): Error {
	const { cause, kind, response } = failure.data;
	const { itemIndex, summary, details } = report;
	const message = joined(' – ', messageOf(failure), summary);
	const description = joined(' ', cause && asObject(cause).description, adviceOn(failure), details);
	// n8n's own errors, such as those of expressions, are made for its editor.
	if (cause instanceof ExecutionBaseError) return Object.assign(cause, { message, description });
	const options = { message, description, itemIndex, ...(response && { httpCode: `${response.status}` }) };
	// Made of our own words alone: what n8n's request helper throws contains the access token.
	const isOfService = kind === 'request' || kind === 'token';
	const nodeError = isOfService ? new NodeApiError(node, {}, options) : new NodeOperationError(node, message, options);
	// n8n replaces messages that contain the name of a system error.
	return Object.assign(nodeError, { message });
}

/** Returns an item for the error output. n8n sends it there because it contains nothing but `error`. */
export function toErrorItem(failure: Failure, itemIndex: number) {
	return { json: { error: inOneText(failure) }, pairedItem: { item: itemIndex } };
}

/**
 * Returns an error for places that show only its message: lists that cannot be loaded, and activations that fail. Not a
 * NodeApiError: for a list, the editor shows "[object Object]" for that.
 */
export function toErrorInOneText(node: INode, failure: Failure): NodeOperationError {
	const message = inOneText(failure);
	return Object.assign(new NodeOperationError(node, message), { message });
}

function inOneText(failure: Failure): string {
	const message = messageOf(failure);
	const advice = adviceOn(failure);
	return advice ? `${sentence(message)} ${advice}` : message;
}

/** The error of a credential. n8n wraps it in one of its own, in which only the message and the context remain. */
class CredentialError extends ExecutionBaseError {
	constructor(failure: Failure) {
		super(inOneText(failure));
		this.context = { failure: failure.data };
	}
}

/** Returns what the work of a credential returns. n8n calls it, so a failure is thrown as a {@link CredentialError}. */
export async function withCredentialErrors<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		// The only request that a credential sends is one for a token.
		const failure = error instanceof Failure && error.data.kind === 'request' ? asTokenFailure(error) : error;
		throw failure instanceof Failure ? new CredentialError(failure) : (failure as Error);
	}
}

/** Returns the failure of a credential that n8n's error wraps, maybe several times; undefined if there is none. */
export function findCredentialFailure(error: unknown): Failure | undefined {
	if (!isObject(error)) return undefined;
	const { failure } = asObject(error.context);
	// Written by the constructor of CredentialError.
	return isObject(failure) ? new Failure(failure as unknown as FailureData) : findCredentialFailure(error.cause);
}

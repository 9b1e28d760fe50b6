import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asTokenFailure } from '../service/token';
import { Failure } from '../shared/failure';
import { asObject, joined } from '../shared/values';
import type { CredentialData } from './app';
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
	// n8n's own errors, such as those of expressions, are made for its editor. Not `instanceof`: npm may have installed a
	// second copy of n8n-workflow, with classes of its own.
	if (cause && 'functionality' in cause) return Object.assign(cause, { message, description });
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

/** Why the work of credentials failed, by the fields that n8n passed: what it wraps an error in keeps the message alone. */
export const credentialFailures = new WeakMap<CredentialData, Failure>();

/** Returns what the work of a credential with these fields returns. n8n calls it, and shows the message of what it throws. */
export async function withCredentialErrors<T>(data: CredentialData, work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof Failure ? noted(data, error) : (error as Error);
	}
}

/** Notes a failure, and returns an error with its message. */
function noted(data: CredentialData, failure: Failure): Error {
	// The only request that a credential sends is one for a token.
	const why = failure.data.kind === 'request' ? asTokenFailure(failure) : failure;
	credentialFailures.set(data, why);
	return new Error(inOneText(why));
}

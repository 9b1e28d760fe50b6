import type { IExecuteFunctions } from 'n8n-workflow';

import type { Call } from '../operation';
import { NoTokenError, ValidationError } from '../shared/errors';
import { runState } from '../shared/runState';
import {
	readCredential,
	readFirstCredential,
	type ServiceCredential,
} from '../transport/credential';
import { ServiceClient } from '../transport/serviceClient';
import { CREDENTIAL_CHANGED, type WaitOptions } from '../transport/tokenSource';

/** With Retry On Fail, another try must not continue at another service. */
const firstTryOf = runState<{ source?: string }>(() => ({}));

/**
 * Returns a function that returns the service client for a call: the same for all, unless expressions in the
 * credential give several accounts. It throws a ValidationError if the credential cannot be used, or gives different
 * accounts for the items of the call, and a NoTokenError if the credential was changed since the first try.
 */
export function clientsOf(
	context: IExecuteFunctions,
	options: WaitOptions,
): (call: Call) => Promise<ServiceClient> {
	const clients = new Map<string, ServiceClient>();
	const clientOf = (credential: ServiceCredential) => {
		const { account } = credential;
		const client = clients.get(account) ?? new ServiceClient(context, credential, options);
		clients.set(account, client);
		return client;
	};
	const firstTry = firstTryOf(context);
	let reading: ReturnType<typeof readFirstCredential> | undefined;

	return async ({ itemIndexes: [itemIndex, ...others] }) => {
		const first = await (reading ??= readFirstCredential(context)).catch(() => undefined);
		if (first && !first.isPerItem) {
			const { source } = first.credential;
			firstTry.source ??= source;
			if (firstTry.source !== source) throw new NoTokenError(CREDENTIAL_CHANGED);
			return clientOf(first.credential);
		}

		const credential = await readCredential(context, itemIndex);
		for (const other of others) {
			const { account } = await readCredential(context, other);
			if (account === credential.account) continue;
			const problem = `its expressions give different accounts for items ${itemIndex} and ${other}, which are sent in one request`;
			throw new ValidationError(
				'Credential',
				problem,
				'Use expressions that give the same account for all items of a request.',
			);
		}
		return clientOf(credential);
	};
}

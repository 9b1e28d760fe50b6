/** The calls that are to bring their credential its first token, by the credential's ID. */
const firstCalls = new Map<string, Promise<unknown>>();

/**
 * Lets the first call of a credential without a token go alone. n8n gets a token for it and stores
 * it; the calls that would have found none as well wait, and then find that one. So a credential
 * that many executions begin to use at once costs one grant.
 *
 * @param credentialId the ID of the credential
 * @param hasToken whether the credential had a token when it was last read
 * @param call sends a call; it reads the credential again
 */
export async function afterFirstCall<T>(
	credentialId: string,
	hasToken: boolean,
	call: () => Promise<T>,
): Promise<T> {
	if (hasToken) return await call();
	const first = firstCalls.get(credentialId);
	if (first) {
		// If it failed, the others try on their own, and fail with a message of their own.
		await first.catch(() => undefined);
		return await call();
	}
	const sending = call();
	firstCalls.set(credentialId, sending);
	try {
		return await sending;
	} finally {
		firstCalls.delete(credentialId);
	}
}

/** An app that is known to the service (the contract, section 5); a client, in RFC 6749's words. */
export interface App {
	clientId: string;
	clientSecret: string;
}

/** The apps that are registered with the service, and where they may be answered. */
export interface Registration {
	/** The first one is the default. */
	privateApps: readonly App[];
	publicApp: App;
	/** Whether an answer for the public app may go there. */
	isRedirectUri: (uri: string) => boolean;
}

/** The kinds of apps: each may use its own grants and no other (the contract, section 5). */
export const grantsOf = {
	private: ['client_credentials'],
	public: ['authorization_code', 'refresh_token'],
} as const;

/**
 * What the OAuth library knows an app by. It takes IDs and secrets of visible ASCII only; the
 * contract sets no such limit. So the whole pair goes through it as a fingerprint, which also keeps
 * a colon in the ID.
 */
export function fingerprint(pair: string): string {
	return `app-${Buffer.from(pair, 'utf8').toString('hex')}`;
}

/** The fingerprint of the pair that the app sends by HTTP Basic. */
export function fingerprintOf({ clientId, clientSecret }: App): string {
	return fingerprint(`${clientId}:${clientSecret}`);
}

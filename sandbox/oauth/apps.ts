/** A registered app (docs/api.md, section 3); RFC 6749 calls it a client. */
export interface App {
	clientId: string;
	clientSecret: string;
}

/** The registered apps and their redirect URIs. */
export interface Registration {
	/** The first one is the default. */
	privateApps: readonly App[];
	publicApp: App;
	/** Whether the public app may use this redirect URI. */
	isRedirectUri: (uri: string) => boolean;
}

/**
 * Returns the client ID that the OAuth library uses for an app: its "ID:secret" pair, hex-encoded.
 * The library accepts only visible ASCII characters, which the contract does not require.
 */
export function libraryClientId(pair: string): string {
	return `app-${Buffer.from(pair, 'utf8').toString('hex')}`;
}

export function libraryClientIdOf({ clientId, clientSecret }: App): string {
	return libraryClientId(`${clientId}:${clientSecret}`);
}

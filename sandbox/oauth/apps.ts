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

import { Account, type PageSeed } from './account';
import { Clock } from './clock';
import { Faults } from './faults';
import type { NewLink } from './links';
import { BLOCKS_PATH, PAGES_PATH } from './listsApi';
import { type App, OAuth } from './oauth/oauth';
import { Recorder } from './recorder';
import { seededApp, seededLinks, seededPages, seededPublicApp } from './seed';

/** What the service of a sandbox consists of, by default what `seed.ts` has. */
export interface ServiceOptions {
	/** The private app. */
	clientId?: string;
	clientSecret?: string;
	/** More private apps, each with its own user name: `@` and its client ID. */
	privateApps?: readonly App[];
	/** Lifetime of an access token, in seconds; 3600 by default. */
	tokenLifetime?: number;
	/** Delay of every API response, in milliseconds. */
	latency?: number;
	pages?: readonly PageSeed[];
	/** Oldest first; they get creation times some days apart, the newest some days before the start. */
	links?: readonly NewLink[];
}

/** The service, without its server. */
export interface Service {
	/** The private app. */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly publicApp: App;
	/** What to enter in n8n besides the Base URL, by the names of the fields. */
	readonly access: Readonly<Record<string, string>>;
	/** The time of the links. Tokens and codes expire in real time. */
	readonly clock: Clock;
	readonly account: Account;
	readonly oauth: OAuth;
	readonly faults: Faults;
	readonly recorder: Recorder;
}

export function createService(options: ServiceOptions): Service {
	const { clientId, clientSecret } = { ...seededApp, ...options };
	const publicApp = seededPublicApp;
	const { pages = seededPages, links = seededLinks } = options;
	const clock = new Clock();
	const apps = { privateApps: [{ clientId, clientSecret }, ...(options.privateApps ?? [])], publicApp };
	return {
		clientId,
		clientSecret,
		publicApp,
		access: {
			'Client ID': clientId,
			'Client Secret': clientSecret,
			'Pages Path': PAGES_PATH,
			'Blocks Path': BLOCKS_PATH,
			'Client ID of the public app': publicApp.clientId,
			'Client Secret of the public app': publicApp.clientSecret,
		},
		clock,
		account: new Account(pages, links, clock),
		oauth: new OAuth(apps, options.tokenLifetime ?? 3600),
		faults: new Faults(options.latency),
		recorder: new Recorder(),
	};
}

import { isLoopback } from '../loopback';
import type { Registration } from './apps';
import { SCOPE } from './model';

/** What an app asks the owner for (RFC 6749, section 4.1.1), checked. */
export interface Authorization {
	redirectUri: string;
	state: string;
}

/** The errors that go back to the app (RFC 6749, section 4.1.2.1). */
export type RefusalCode =
	'access_denied' | 'invalid_request' | 'invalid_scope' | 'unsupported_response_type';

/** A request that must not lead back to any app, as it is not sure that one sent it; and why. */
export class Untrusted extends Error {}

/** A request that leads back to the app with an error. */
export class Refusal extends Error {
	constructor(
		readonly error: RefusalCode,
		description: string,
		readonly redirectUri: string,
		readonly state: string,
	) {
		super(description);
	}

	/** Where the browser is to go. */
	get location(): string {
		const { error, message, state } = this;
		return leadBack(this.redirectUri, { error, error_description: message, state });
	}
}

/** The address that takes an answer to the app; parameters that are empty are left out. */
export function leadBack(redirectUri: string, answer: Record<string, string>): string {
	const url = new URL(redirectUri);
	for (const [name, value] of Object.entries(answer)) {
		if (value) url.searchParams.set(name, value);
	}
	return url.href;
}

/** Where n8n takes the answer, on whatever host and port it runs. */
const CALLBACK_PATH = '/rest/oauth2-credential/callback';

/**
 * The rule for redirect URIs: n8n on this machine, on any port (RFC 8252, section 7.3), or one that
 * is listed. None has a fragment (RFC 6749, section 3.1.2).
 */
export function redirectRule(listed: readonly string[]): (uri: string) => boolean {
	return (uri) => {
		if (!/^https?:\/\/[!-~]+$/i.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false;
		const { hostname, pathname, username, password } = new URL(uri);
		const isLocal =
			isLoopback(hostname) && pathname.endsWith(CALLBACK_PATH) && !username && !password;
		return isLocal || listed.includes(uri);
	};
}

type Query = Readonly<Record<string, unknown>>;

/**
 * Reads the query of the authorize URL.
 *
 * @throws Untrusted if the app or its redirect URI is not known
 * @throws Refusal if anything else is wrong
 */
export function readAuthorization(query: Query, registration: Registration): Authorization {
	checkApp(query.client_id, registration);
	const redirectUri = readRedirectUri(query.redirect_uri, registration);
	const state = typeof query.state === 'string' ? query.state : '';
	const refuse = (error: RefusalCode, description: string) =>
		new Refusal(error, description, redirectUri, state);

	for (const name of ['response_type', 'state', 'scope']) {
		if (Array.isArray(query[name])) {
			throw refuse('invalid_request', `The parameter ${name} is given more than once.`);
		}
	}
	if (!query.response_type) throw refuse('invalid_request', 'The response_type is missing.');
	if (query.response_type !== 'code') {
		throw refuse('unsupported_response_type', 'The one response_type is code.');
	}
	if (query.scope && query.scope !== SCOPE) {
		throw refuse('invalid_scope', `The one scope is ${SCOPE}.`);
	}
	// RFC 6749 only recommends a state; without one the app could not tell a forged answer. What it
	// is made of: appendix A.5.
	if (!/^[ -~]+$/.test(state)) {
		throw refuse('invalid_request', 'The state is missing or is not plain ASCII.');
	}
	return { redirectUri, state };
}

function checkApp(clientId: unknown, { privateApps, publicApp }: Registration): void {
	if (!clientId) throw new Untrusted('The client_id is missing.');
	if (clientId === publicApp.clientId) return;
	if (privateApps.some((app) => app.clientId === clientId)) {
		throw new Untrusted(
			'The client_id is that of a private app. It gets its token without asking anybody: by the grant client_credentials.',
		);
	}
	throw new Untrusted('There is no app with this client_id.');
}

function readRedirectUri(redirectUri: unknown, { isRedirectUri }: Registration): string {
	if (!redirectUri) throw new Untrusted('The redirect_uri is missing.');
	if (typeof redirectUri !== 'string') {
		throw new Untrusted('The redirect_uri is given more than once.');
	}
	if (isRedirectUri(redirectUri)) return redirectUri;
	throw new Untrusted(
		`The redirect_uri ${redirectUri} is not known. It must be that of an n8n on this machine, ending with ${CALLBACK_PATH}, or one that the sandbox was started with.`,
	);
}

import { digestOf } from '../../nodes/ProfilePage/n8n/app';
import type { TokenFields } from '../../nodes/ProfilePage/n8n/privateApp';
import type { Sandbox } from '../../sandbox/server';

/** A token, and the app that it was granted to. */
interface GrantedToken {
	accessToken: string;
	/** Fields of the credential that differ from those that fit the sandbox. */
	credential?: Record<string, string>;
}

/** The fields of a private app's credential in which n8n has stored a token that was granted to it. */
export function storedToken(
	{ baseUrl, clientId, clientSecret }: Sandbox,
	{ accessToken, credential }: GrantedToken,
): TokenFields & Record<string, string> {
	const app = { baseUrl, clientId, clientSecret, ...credential };
	const accessTokenBinding = digestOf(app.baseUrl, app.clientId, app.clientSecret);
	return { ...app, accessToken, accessTokenBinding, accessTokenExpiresAt: '' };
}

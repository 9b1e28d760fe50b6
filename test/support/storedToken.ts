import { renewalTime } from '../../nodes/ProfilePage/n8n/apps/app';
import { privateApp, type TokenFields } from '../../nodes/ProfilePage/n8n/apps/privateApp';
import type { Sandbox } from '../../sandbox/server';

/** A token, and the app that it was granted to. */
interface GrantedToken {
	accessToken: string;
	/** In seconds from now, as the token response has it; unknown if left out. */
	expiresIn?: number;
	/** Fields of the credential that differ from those that fit the sandbox. */
	credential?: Record<string, string>;
}

/** The fields of a private app's credential in which n8n has stored a token that was granted to it. */
export function storedToken(
	{ baseUrl, clientId, clientSecret }: Sandbox,
	{ accessToken, expiresIn, credential }: GrantedToken,
): TokenFields & Record<string, string> {
	const app = { baseUrl, clientId, clientSecret, ...credential };
	const lifetime = (expiresIn ?? 0) * 1000;
	const renewAt = renewalTime(Date.now() + lifetime, lifetime);
	return {
		...app,
		accessToken,
		accessTokenBinding: privateApp.bindingOf(app),
		accessTokenRenewAt: expiresIn === undefined ? '' : String(renewAt),
	};
}

import {
	bindToken,
	type GrantedToken,
	privateAppDigest,
} from '../../nodes/ProfilePage/transport/tokenBinding';
import type { Sandbox } from '../../sandbox/server';

/** A token that n8n stores for an app, and what the service said of it. */
interface StoredToken {
	accessToken: string;
	/** In seconds from now, as the token answer has it; unknown if left out. */
	expiresIn?: number;
	/** Fields of the credential that differ from those that fit the sandbox. */
	credential?: Record<string, string>;
}

/** The fields of a private app's credential in which n8n has stored a token that was granted to it. */
export function storedToken(
	{ baseUrl, clientId, clientSecret }: Sandbox,
	{ accessToken, expiresIn, credential }: StoredToken,
): GrantedToken & Record<string, string> {
	const app = { baseUrl, clientId, clientSecret, ...credential };
	return { ...app, ...bindToken(accessToken, privateAppDigest(app), Date.now(), expiresIn) };
}

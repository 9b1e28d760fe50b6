import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** The private app that oidc-provider knows. */
export const OIDC_APP = { clientId: 'oidc-app', clientSecret: 'a+b%c:d/ e' };

/** A public app that sends its secret in the header. It may not use the client_credentials grant. */
export const OIDC_PUBLIC_APP = { clientId: 'oidc-public-app', clientSecret: 'secret-of-the-public-app' };

/** What may change while the service runs. */
interface OidcSettings {
	/** Of access tokens from now on, in seconds. */
	lifetime: number;
	/** Whether public apps must use PKCE. */
	requiresPkce: boolean;
}

const SETTINGS: OidcSettings = { lifetime: 3600, requiresPkce: false };

/** A request, and what became of it. */
interface OidcRequest {
	method: string;
	url: string;
	authorization?: string;
	form?: Record<string, string>;
	status?: number;
}

/** A service of which nothing was written here: oidc-provider, in a thread of its own. */
export class OidcProvider {
	readonly baseUrl: string;
	readonly #worker: Worker;

	private constructor(worker: Worker, baseUrl: string) {
		this.#worker = worker;
		this.baseUrl = baseUrl;
	}

	static async start({
		redirectUri = 'https://n8n.example.com/rest/oauth2-credential/callback',
	} = {}): Promise<OidcProvider> {
		const grants = { grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [redirectUri] };
		const clients = [
			{ ...registration(OIDC_APP), grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
			{ ...registration(OIDC_PUBLIC_APP), ...grants },
		];
		const workerData = { clients, settings: SETTINGS };
		// What the provider warns of, such as its development keys, is no concern of the tests.
		const worker = new Worker(path.join(__dirname, 'oidcServer.mjs'), { workerData, stdout: true, stderr: true });
		const [{ result }] = (await once(worker, 'message')) as [{ result: string }];
		return new OidcProvider(worker, result);
	}

	async requests(): Promise<OidcRequest[]> {
		return (await this.#command('requests')) as OidcRequest[];
	}

	/** All tokens that were ever issued. */
	async tokens(): Promise<string[]> {
		return (await this.#command('tokens')) as string[];
	}

	async set(changes: Partial<OidcSettings>): Promise<void> {
		await this.#command('set', changes);
	}

	/** Revokes all access tokens. */
	async revoke(): Promise<void> {
		await this.#command('revoke');
	}

	async close(): Promise<void> {
		await this.#worker.terminate();
	}

	async #command(command: string, argument?: unknown): Promise<unknown> {
		this.#worker.postMessage({ command, argument });
		const [{ result }] = (await once(this.#worker, 'message')) as [{ result: unknown }];
		return result;
	}
}

function registration({ clientId, clientSecret }: typeof OIDC_APP) {
	return { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' };
}

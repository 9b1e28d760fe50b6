import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { type App, type CredentialData, digestOf } from '../oauth/app';
import { serviceUrl } from '../oauth/baseUrl';
import { privateApp } from '../oauth/privateApp';
import { publicApp, readTokens } from '../oauth/publicApp';
import { isTool } from '../shared/tool';
import { asText } from '../shared/values';

/** What n8n passes to a node that runs, to a list that the editor loads, or to a trigger. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Returns the signal that cancels the execution. Loading a list cannot be canceled. */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Returns the context with some properties replaced. */
export function derive<T extends ServiceContext>(context: T, properties: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(properties)) as T;
}

/** The credential of a node at one moment, with its expressions resolved for an item. */
export class ServiceCredential {
	/** What tells the accounts of one credential apart: the digest of its app. */
	readonly account: string;
	/** The stored token, which may have expired; empty if there is none for this app. */
	readonly accessToken: string;

	constructor(
		readonly app: App,
		readonly id: string,
		readonly data: CredentialData,
		readonly itemIndex: number,
	) {
		this.account = app.digest(data);
		this.accessToken = app.readToken(data);
	}

	/** What identifies the credential and its app. A new client secret does not change it. */
	get source(): string {
		const { baseUrl, clientId } = this.data;
		return digestOf(this.app.credentialType, this.id, serviceUrl(baseUrl, ''), clientId);
	}

	get isExpired(): boolean {
		return this.app.isExpired(this.data);
	}

	/** What no message may repeat. */
	get secrets(): string[] {
		const { refresh_token: refreshToken } = readTokens(this.data);
		return [this.data.clientSecret, this.accessToken, refreshToken].map(asText).filter(Boolean);
	}
}

/**
 * Reads the stored credential. Throws ValidationError if a field cannot be used, or no account is connected, and
 * NoTokenError if the tokens of a public app cannot be used.
 */
export async function readCredential(
	context: ServiceContext,
	itemIndex: number,
): Promise<ServiceCredential> {
	const { parameters, credentials } = context.getNode();
	// This parameter takes no expressions.
	const app = parameters.authentication === publicApp.authentication ? publicApp : privateApp;
	const data = await context.getCredentials(app.credentialType, itemIndex);
	app.check?.(data);
	return new ServiceCredential(app, credentials?.[app.credentialType]?.id ?? '', data, itemIndex);
}

/**
 * Reads the credential for the first item, and finds out whether other items may have another one, because it has
 * expressions. n8n does not say so, but accesses the input items only to resolve expressions.
 */
export async function readFirstCredential(
	context: IExecuteFunctions,
): Promise<{ credential: ServiceCredential; isPerItem: boolean }> {
	if (isTool(context)) return { credential: await readCredential(context, 0), isPerItem: true };
	let accesses = 0;
	const connectionInputData = new Proxy(context.getInputData(), {
		get(items, key) {
			accesses += 1;
			return Reflect.get(items, key) as unknown;
		},
	});
	const credential = await readCredential(derive(context, { connectionInputData }), 0);
	// A public app has one account, and expressions of its own.
	return { credential, isPerItem: accesses > 0 && credential.app === privateApp };
}

import type { IDataObject, IExecuteFunctions, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { serviceUrl } from '../service/baseUrl';
import { done, type Ended, settleAsync, STOPPED } from '../service/failure';
import { type Credential, digestOf, secretsOf } from './apps/app';
import { privateApp } from './apps/privateApp';
import { publicApp } from './apps/publicApp';
import { derive, isTool, type NodeContext } from './context';

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Private App',
			value: 'clientCredentials',
			description: 'Act for the account that the app belongs to, with its client ID and secret',
		},
		{
			name: 'Public App',
			value: 'oAuth2',
			description: 'Act for the account that signs in to the service and grants access',
		},
	],
	default: 'clientCredentials',
};

/** The credentials of the node, each shown for its kind of app. */
export const credentials: INodeCredentialDescription[] = [privateApp, publicApp].map((app) => ({
	name: app.credentialType,
	required: true,
	displayOptions: { show: { authentication: [app.authentication] } },
}));

/**
 * Reads the stored credential. Fails if a field cannot be used, no account is connected, or the tokens of a public app
 * cannot be used.
 */
export async function loadCredential(context: NodeContext, itemIndex: number): Promise<Ended<Credential>> {
	const { parameters, credentials: chosen } = context.getNode();
	// This parameter takes no expressions.
	const app = parameters.authentication === publicApp.authentication ? publicApp : privateApp;
	return await settleAsync(async () => {
		const data = await context.getCredentials(app.credentialType, itemIndex);
		const id = chosen?.[app.credentialType]?.id;
		const accountId = digestOf(app.credentialType, id, serviceUrl(data.baseUrl, ''), data.clientId);
		return done(toCredential({ app, data, itemIndex, id: accountId }));
	});
}

/** Where the lists of pages and blocks are, as entered in the credential: unchecked, as the contract does not show it. */
export interface ListPaths extends Readonly<Record<'pagesPath' | 'blocksPath', unknown>> {
	/** Without a slash at its end. */
	readonly baseUrl: string;
}

/** Returns where the lists of an account are. Throws Failed if the Base URL cannot be used. */
export function pathsOf({ data: { baseUrl, pagesPath, blocksPath } }: Credential): ListPaths {
	return { baseUrl: serviceUrl(baseUrl, ''), pagesPath, blocksPath };
}

/** Returns a credential with these fields. Throws Failed if {@link loadCredential} would fail. */
export function toCredential(known: Pick<Credential, 'app' | 'data' | 'itemIndex' | 'id'>): Credential {
	const { app, data } = known;
	const stored = app.readToken(data);
	const token = stored && { ...stored, isAccepted: true };
	return { ...known, binding: app.bindingOf(data), token, secrets: secretsOf(data) };
}

/** An input item of a node, and its credential. */
interface Input {
	readonly json: IDataObject;
	readonly credential: Ended<Credential>;
}

/** Reads the input items, and the credential for each: once, if it is the same for all. */
export async function loadInput(context: IExecuteFunctions): Promise<Input[]> {
	const items = context.getInputData();
	const shared = await loadSharedCredential(context);
	// Each error item needs an error of its own, as n8n's errors are changed when they are shown.
	const isForAll = shared?.outcome === 'done' || !context.continueOnFail();
	if (shared && isForAll) return items.map(({ json }) => ({ json, credential: shared }));
	const input: Input[] = [];
	for (const [itemIndex, { json }] of items.entries()) {
		const isCanceled = context.getExecutionCancelSignal()?.aborted === true;
		input.push({ json, credential: isCanceled ? STOPPED : await loadCredential(context, itemIndex) });
	}
	return input;
}

/**
 * Reads the credential for the first item. Returns undefined if it may differ for other items, because it has
 * expressions. n8n does not say whether it has, but it reads the input items only to evaluate expressions.
 */
async function loadSharedCredential(context: IExecuteFunctions): Promise<Ended<Credential> | undefined> {
	if (isTool(context)) return undefined;
	let accesses = 0;
	const connectionInputData = new Proxy(context.getInputData(), {
		get(items, key) {
			accesses += 1;
			return Reflect.get(items, key) as unknown;
		},
	});
	const credential = await loadCredential(derive(context, { connectionInputData }), 0);
	// The credential type of public apps contains expressions itself, which do not depend on the items.
	const isPublic = credential.outcome === 'done' && credential.result.app === publicApp;
	return accesses > 0 && !isPublic ? undefined : credential;
}

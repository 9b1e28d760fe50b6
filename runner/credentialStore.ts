import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { LoadedPackage } from './loadPackage';

/**
 * An in-memory replacement for the class `CredentialsHelper` of the package `n8n`
 * (`dist/credentials-helper.js`, version 2.40.7), which n8n-core does not include.
 *
 * Like the original, it returns copies, applies the defaults of the fields, resolves expressions, calls
 * `preAuthentication` when the token is empty or was rejected, and stores new tokens. It does not
 * support external secrets, overwrites by the environment, or domain restrictions.
 */
export class CredentialStore extends ICredentialsHelper {
	/** Duration of a write in milliseconds, to simulate a database. */
	writeDelay = 0;

	readonly #loaded: LoadedPackage;
	/** JSON text, so that every reader gets a copy. */
	readonly #stored = new Map<string, string>();

	constructor(loaded: LoadedPackage) {
		super();
		this.#loaded = loaded;
	}

	/** Stores a credential and returns the reference for a node. */
	add(type: string, data: ICredentialDataDecryptedObject): INodeCredentialsDetails {
		const id = randomUUID();
		this.#stored.set(id, JSON.stringify(data));
		return { id, name: `${type} account` };
	}

	read(reference: INodeCredentialsDetails): ICredentialDataDecryptedObject {
		const json = this.#stored.get(reference.id ?? '');
		if (!json) throw new Error(`Credential ${reference.name} not found`);
		return JSON.parse(json) as ICredentialDataDecryptedObject;
	}

	getParentTypes(name: string): string[] {
		return this.#loaded.credentialType(name).extends ?? [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		const properties = this.getParentTypes(type).flatMap((parent) => this.getCredentialsProperties(parent));
		NodeHelpers.mergeNodeProperties(properties, this.#loaded.credentialType(type).properties);
		return properties;
	}

	/** Required by the interface; n8n-core never calls it. */
	getCredentials(): Promise<ICredentials> {
		return Promise.reject(new Error('Credentials are not stored encrypted here'));
	}

	/** Called since n8n-core 2.40, for credential types that only some nodes may use. */
	isCredentialUsableByNode(): boolean {
		return true;
	}

	async getDecrypted(
		...[, reference, type, mode, executeData, raw, expressions]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		// The original reads a database here, so concurrent calls interleave.
		await new Promise((resolve) => setImmediate(resolve));
		const stored = this.read(reference);
		if (raw) return stored;
		return this.applyDefaults(type, stored, mode, executeData, expressions);
	}

	/** Adds the defaults of missing fields and resolves expressions. */
	applyDefaults(
		type: string,
		fields: ICredentialDataDecryptedObject,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		expressions?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const { nodeTypes } = this.#loaded;
		const data = this.#withDefaults(type, fields);
		// Outside a workflow, as in a test of the credential, there are no values.
		const values = expressions ?? {
			workflow: new Workflow({ nodes: [], connections: {}, active: false, nodeTypes }),
			runExecutionData: null,
			runIndex: 0,
			itemIndex: 0,
			node: { name: '' },
			connectionInputData: [],
		};
		return values.workflow.expression.getParameterValue(
			data as INodeParameters,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			{},
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	#withDefaults(type: string, stored: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const properties = this.getCredentialsProperties(type);
		const values = stored as INodeParameters;
		const withDefaults = NodeHelpers.getNodeParameters(properties, values, true, false, null, null);
		const { oauthTokenData } = stored;
		return { ...withDefaults, ...(oauthTokenData !== undefined && { oauthTokenData }) };
	}

	/** Calls `preAuthentication` if the expirable property is empty or expired, and stores the result. */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const credentialType = this.#loaded.credentialType(typeName);
		const isExpirable = ({ type, typeOptions }: INodeProperties) => type === 'hidden' && typeOptions?.expirable;
		const expirable = credentialType.properties.find(isExpirable)?.name;
		if (!credentialType.preAuthentication || !expirable) return undefined;

		// n8n also means to renew the token in a credential test, but looks for the node type
		// "n8n-nodes-base.noOp", while its tester uses "noOp".
		if (credentials[expirable] !== '' && !credentialsExpired) return undefined;

		const output = await credentialType.preAuthentication.call(helpers, credentials);
		const reference = node.credentials?.[typeName];
		if (output[expirable] === undefined || !reference) return undefined;
		const renewed = { ...this.read(reference), ...output } as ICredentialDataDecryptedObject;
		await this.updateCredentials(reference, typeName, renewed);
		return Object.assign(credentials, output);
	}

	/**
	 * Calls `preAuthentication` without storing the result. Called since n8n-core 2.40, before requests
	 * with a credential type that extends `oAuth2Api`.
	 */
	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.#loaded.credentialType(typeName);
		return (await preAuthentication?.call(helpers, credentials)) as ICredentialDataDecryptedObject | undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.#loaded.credentialType(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		throw new Error(`${typeName} has no authenticate function`);
	}

	async updateCredentials(
		{ id }: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await wait(this.writeDelay);
		this.#stored.set(id ?? '', JSON.stringify(data));
	}

	async updateCredentialsOauthTokenData(
		reference: INodeCredentialsDetails,
		type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		const tokens = { oauthTokenData } as ICredentialDataDecryptedObject;
		await this.updateCredentials(reference, type, { ...this.read(reference), ...tokens });
	}
}

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type ICredentialType,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	isExpression,
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
		const reference = { id: randomUUID(), name: `${type} account` };
		this.#write(reference, data);
		return reference;
	}

	read(reference: INodeCredentialsDetails): ICredentialDataDecryptedObject {
		const json = this.#stored.get(reference.id ?? '');
		if (!json) throw new Error(`Credential ${reference.name} not found`);
		return JSON.parse(json) as ICredentialDataDecryptedObject;
	}

	#write(reference: INodeCredentialsDetails, data: ICredentialDataDecryptedObject): void {
		this.#stored.set(reference.id ?? '', JSON.stringify(data));
	}

	getParentTypes(name: string): string[] {
		return this.#loaded.credentialType(name).extends ?? [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		const properties: INodeProperties[] = [];
		for (const parent of this.getParentTypes(type)) {
			NodeHelpers.mergeNodeProperties(properties, this.getCredentialsProperties(parent));
		}
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
		_additionalData: IWorkflowExecuteAdditionalData,
		reference: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		expressions?: ICredentialsExpressionResolveValues,
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
		const data = this.#withDefaults(type, fields);
		if (!expressions) {
			return this.#expression.getComplexParameterValue(
				noNode,
				data as INodeParameters,
				mode,
				{},
				undefined,
				undefined,
				data,
			) as ICredentialDataDecryptedObject;
		}
		return expressions.workflow.expression.getParameterValue(
			data as INodeParameters,
			expressions.runExecutionData,
			expressions.runIndex,
			expressions.itemIndex,
			expressions.node.name,
			expressions.connectionInputData,
			mode,
			{},
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	/** For expressions outside a workflow. */
	get #expression(): Workflow['expression'] {
		const { nodeTypes } = this.#loaded;
		return new Workflow({ nodes: [], connections: {}, active: false, nodeTypes }).expression;
	}

	#withDefaults(type: string, stored: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const withDefaults = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			stored as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
		const { oauthTokenData } = stored;
		return oauthTokenData === undefined ? withDefaults : { ...withDefaults, oauthTokenData };
	}

	/**
	 * Calls `preAuthentication` if the expirable property is empty or expired, and stores the result.
	 * Fields with an expression keep it.
	 */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const credentialType = this.#loaded.credentialType(typeName);
		const expirable = findExpirable(credentialType);
		if (!credentialType.preAuthentication || !expirable) return undefined;

		// n8n also means to renew the token in a credential test, but looks for the node type
		// "n8n-nodes-base.noOp", while its tester uses "noOp".
		if (credentials[expirable] !== '' && !credentialsExpired) return undefined;

		const output = await credentialType.preAuthentication.call(helpers, credentials);
		const reference = node.credentials?.[typeName];
		if (output[expirable] === undefined || !reference) return undefined;
		const stored = this.read(reference);
		const returned = Object.entries(output as ICredentialDataDecryptedObject).filter(
			([name]) => name === expirable || !isExpression(stored[name]),
		);
		const merged = { ...stored, ...Object.fromEntries(returned) };
		await this.updateCredentials(reference, typeName, merged);
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
		const output = await preAuthentication?.call(helpers, credentials);
		return output as ICredentialDataDecryptedObject | undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.#loaded.credentialType(typeName);
		if (typeof authenticate !== 'function') {
			throw new Error(`${typeName} has no authenticate function`);
		}
		return await authenticate(credentials, requestOptions);
	}

	async updateCredentials(
		reference: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await wait(this.writeDelay);
		this.#write(reference, data);
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

const noNode: INode = {
	id: 'mock',
	name: '',
	type: 'mock',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function findExpirable({ properties }: ICredentialType): string | undefined {
	return properties.find(({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable)?.name;
}

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
 * Keeps credentials and hands them to requests, as n8n does. The real one is the class
 * `CredentialsHelper` of the package `n8n` (`dist/credentials-helper.js`, read at version 2.40.7),
 * which n8n-core does not contain. Rebuilt here: a copy for each reader, defaults of the credential's
 * fields, expressions in them, `preAuthentication` when the expirable token is empty or was refused,
 * storage of what it returns, and the tokens of types that extend `oAuth2Api`, for which n8n-core
 * itself makes the requests. Left out: external secrets, overwrites by the environment, and
 * restrictions to domains.
 */
export class CredentialStore extends ICredentialsHelper {
	/** How long storing takes, in milliseconds: the real one writes to a database. */
	writeDelay = 0;

	/** The data as JSON: n8n stores it encrypted, and every reader gets a copy. */
	readonly #stored = new Map<string, { type: string; json: string }>();

	constructor(private readonly loaded: LoadedPackage) {
		super();
	}

	/** Stores a credential; returns how a node refers to it. */
	add(type: string, data: ICredentialDataDecryptedObject): INodeCredentialsDetails {
		const reference = { id: randomUUID(), name: `${type} account` };
		this.#write(reference, type, data);
		return reference;
	}

	/** Returns a copy of the stored data. */
	read(reference: INodeCredentialsDetails): ICredentialDataDecryptedObject {
		const stored = this.#stored.get(reference.id ?? '');
		if (!stored) throw new Error(`There is no credential ${reference.name}`);
		return JSON.parse(stored.json) as ICredentialDataDecryptedObject;
	}

	#write(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): void {
		this.#stored.set(reference.id ?? '', { type, json: JSON.stringify(data) });
	}

	getParentTypes(name: string): string[] {
		return this.loaded.credentialType(name).extends ?? [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		const properties: INodeProperties[] = [];
		for (const parent of this.getParentTypes(type)) {
			NodeHelpers.mergeNodeProperties(properties, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(properties, this.loaded.credentialType(type).properties);
		return properties;
	}

	/** Part of the interface, though n8n-core never calls it. */
	getCredentials(): Promise<ICredentials> {
		return Promise.reject(new Error('Credentials are not stored encrypted here'));
	}

	/** Asked by n8n-core since 2.40; only for types that restrict which nodes may use them. */
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
		// The real one reads a database here; so requests in parallel do overlap.
		await new Promise((resolve) => setImmediate(resolve));
		const stored = this.read(reference);
		if (raw) return stored;
		return this.applyDefaults(type, stored, mode, executeData, expressions);
	}

	/** Adds the defaults of the fields that are missing, and resolves expressions. */
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

	/** Resolves expressions where there is no workflow. */
	get #expression(): Workflow['expression'] {
		const { nodeTypes } = this.loaded;
		return new Workflow({ nodes: [], connections: {}, active: false, nodeTypes }).expression;
	}

	#withDefaults(
		type: string,
		stored: ICredentialDataDecryptedObject,
	): ICredentialDataDecryptedObject {
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
	 * Calls `preAuthentication` of the type if the expirable property is empty or has expired, and
	 * stores what it returns. A field that the user filled in with an expression keeps it.
	 */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const credentialType = this.loaded.credentialType(typeName);
		const expirable = findExpirable(credentialType);
		if (!credentialType.preAuthentication || !expirable) return undefined;

		// Never true: the node of the tester has the type "noOp", without the name of its package.
		const isTest = node.parameters.temp === '' && node.type === 'n8n-nodes-base.noOp';
		if (credentials[expirable] !== '' && !credentialsExpired && !isTest) return undefined;

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
	 * Calls `preAuthentication` of the type and stores nothing. n8n-core calls this since 2.40, before
	 * requests with a type that extends `oAuth2Api`; n8n-core 2.8 and 1.122 never do.
	 */
	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.loaded.credentialType(typeName);
		const output = await preAuthentication?.call(helpers, credentials);
		return output as ICredentialDataDecryptedObject | undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.loaded.credentialType(typeName);
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no such function`);
		return await authenticate(credentials, requestOptions);
	}

	async updateCredentials(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await wait(this.writeDelay);
		this.#write(reference, type, data);
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
	return properties.find(({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable)
		?.name;
}

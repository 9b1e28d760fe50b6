import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { Credentials } from 'n8n-core';
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
	NodeHelpers,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { LoadedPackage } from './loadPackage';

/**
 * Keeps credentials and hands them to requests, as n8n does. The real one is the class
 * `CredentialsHelper` of the package `n8n` (`dist/credentials-helper.js`, read at version 2.40.7),
 * which n8n-core does not bring. Rebuilt here: encryption at rest with n8n-core's own cipher,
 * defaults of the credential's fields, expressions in them, the expirable token (asked for when it
 * is empty, when it was refused, and at a test), storage of what is got, and the tokens of types that
 * extend `oAuth2Api`, for which n8n-core itself makes the requests.
 */
export class CredentialStore extends ICredentialsHelper {
	/** How long storing takes, in milliseconds: the real one writes to a database. */
	writeDelay = 0;

	readonly #stored = new Map<string, { type: string; encrypted: string | undefined }>();

	constructor(private readonly loaded: LoadedPackage) {
		super();
	}

	/** Stores a credential; returns how a node refers to it. */
	add(type: string, data: ICredentialDataDecryptedObject): INodeCredentialsDetails {
		const reference = { id: randomUUID(), name: `${type} account` };
		this.#write(reference, type, data);
		return reference;
	}

	/** What is stored, decrypted. */
	read(reference: INodeCredentialsDetails): ICredentialDataDecryptedObject {
		const stored = this.#stored.get(reference.id ?? '');
		if (!stored) throw new Error(`There is no credential ${reference.name}`);
		return new Credentials(reference, stored.type, stored.encrypted).getData();
	}

	#write(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): void {
		const credentials = new Credentials(reference, type);
		credentials.setData(data);
		const encrypted = credentials.getDataToSave().data;
		this.#stored.set(reference.id ?? '', { type, encrypted });
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

	getCredentials(reference: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const encrypted = this.#stored.get(reference.id ?? '')?.encrypted;
		return Promise.resolve(new Credentials(reference, type, encrypted));
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
		const withDefaults = this.#applyDefaults(type, stored);
		if (!expressions) return withDefaults;
		return expressions.workflow.expression.getParameterValue(
			withDefaults as INodeParameters,
			expressions.runExecutionData,
			expressions.runIndex,
			expressions.itemIndex,
			expressions.node.name,
			expressions.connectionInputData,
			mode,
			{},
			executeData,
			false,
			withDefaults,
		) as ICredentialDataDecryptedObject;
	}

	#applyDefaults(
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

		const isTest = node.type === 'n8n-nodes-base.noOp' && node.parameters.temp === '';
		if (credentials[expirable] !== '' && !credentialsExpired && !isTest) return undefined;

		const output = await credentialType.preAuthentication.call(helpers, credentials);
		if (output[expirable] === undefined || !node.credentials) return undefined;
		const reference = node.credentials[typeName];
		if (reference) {
			await this.updateCredentials(reference, typeName, {
				...this.read(reference),
				...(output as ICredentialDataDecryptedObject),
			});
		}
		return Object.assign(credentials, output);
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

function findExpirable({ properties }: ICredentialType): string | undefined {
	return properties.find(({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable)
		?.name;
}

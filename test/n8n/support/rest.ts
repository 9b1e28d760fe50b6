import { randomBytes, randomUUID } from 'node:crypto';

import type { INodeCredentialTestResult, INodeTypeDescription, IRunExecutionData } from 'n8n-workflow';
import { request } from 'undici';

import type { Sandbox } from '../../../sandbox/server';
import { until } from './processes';
import { isN8n1 } from './versions';

/** The sign-in data of an n8n's owner. */
export interface Owner {
	email: string;
	password: string;
}

/**
 * Returns a secret that nobody can guess. n8n does not check the `Host` header, so a website could reach it by DNS
 * rebinding. It has an upper-case letter and a digit, as n8n requires of a password.
 */
export function newSecret(): string {
	return `N8n-${randomBytes(15).toString('hex')}`;
}

/** A reference to a stored object of n8n. */
export interface Stored {
	id: string;
	name: string;
}

/** A reference to a workflow, in the version that was saved last. */
export interface StoredWorkflow extends Stored {
	versionId: string;
}

export interface StoredExecution {
	id: string;
	status: string;
}

export function isFinished({ status }: StoredExecution): boolean {
	return !['new', 'running', 'waiting'].includes(status);
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Sends a request to n8n. Returns its response. */
export async function requestN8n(method: Method, url: string, body?: object, headers?: Record<string, string>) {
	const response = await request(url, {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body: body ? JSON.stringify(body) : null,
		// A request on a connection that n8n closes at the same moment would fail.
		reset: true,
	});
	const text = await response.body.text();
	if (response.statusCode >= 400) throw new Error(`n8n: ${method} ${url}: ${response.statusCode} ${text}`);
	return { headers: response.headers, text };
}

/** The REST API of n8n's editor, signed in as the owner. */
export class Rest {
	/** By default one with a new password, to set up. */
	readonly owner: Owner;
	readonly #baseUrl: string;
	readonly #browserId = randomUUID();
	#cookie = '';

	constructor(baseUrl: string, owner = { email: 'owner@example.com', password: newSecret() }) {
		this.#baseUrl = baseUrl;
		this.owner = owner;
	}

	/** Creates the owner of a new n8n and signs in. */
	async setUpOwner(): Promise<void> {
		await this.send('POST', '/owner/setup', { ...this.owner, firstName: 'The', lastName: 'Owner' });
		await this.signIn();
	}

	async signIn(): Promise<void> {
		const { email, password } = this.owner;
		await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Returns `data` of the response. */
	async send<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
		return (JSON.parse(await this.#request(method, `/rest${path}`, body)) as { data: T }).data;
	}

	async #request(method: Method, path: string, body?: object): Promise<string> {
		const headers = { 'browser-id': this.#browserId, ...(this.#cookie && { cookie: this.#cookie }) };
		const response = await requestN8n(method, this.#baseUrl + path, body, headers);
		const [sent] = [response.headers['set-cookie'] ?? []].flat();
		if (sent) this.#cookie = sent.split(';')[0] ?? '';
		return response.text;
	}

	/** All node types, as the editor gets them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return JSON.parse(await this.#request('GET', '/types/nodes.json')) as INodeTypeDescription[];
	}

	async addCredential(name: string, type: string, data: object): Promise<Stored> {
		return await this.send('POST', '/credentials', { name, type, data });
	}

	/** Stores a credential for a sandbox's private app. Given fields replace the app's. */
	async addPrivateApp(
		{ baseUrl, clientId, clientSecret }: Sandbox,
		fields: Record<string, string> = {},
	): Promise<Stored> {
		return await this.addCredential('Sandbox', 'profilePageApi', { baseUrl, clientId, clientSecret, ...fields });
	}

	/** Stores a credential for a service's public app. Given fields replace the app's. */
	async addPublicApp(
		{ baseUrl, publicApp }: Pick<Sandbox, 'baseUrl' | 'publicApp'>,
		fields: Record<string, string | boolean> = {},
	): Promise<Stored> {
		const data = { baseUrl, ...publicApp, ...fields };
		return await this.addCredential('Sandbox (public app)', 'profilePageOAuth2Api', data);
	}

	/** Stores a bearer token that a trigger requires from its clients. */
	async addClientToken(token: string): Promise<Stored> {
		return await this.addCredential('Token of the clients', 'httpBearerAuth', { token });
	}

	/** Returns the address of the service at which a public app is connected. */
	async authorizationUrl({ id }: Stored): Promise<string> {
		return await this.send('GET', `/oauth2-credential/auth?id=${id}`);
	}

	/** Connects the credential of a public app to the account of the sandbox, as in a browser. */
	async connectPublicApp(credential: Stored): Promise<void> {
		const body = new URLSearchParams({ decision: 'allow' });
		const consent = await fetch(await this.authorizationUrl(credential), { method: 'POST', body, redirect: 'manual' });
		const { pathname, search } = new URL(consent.headers.get('location') ?? '');
		const page = await this.#request('GET', pathname + search);
		if (!page.includes('Connection successful')) throw new Error(`n8n is not connected: ${page}`);
	}

	/**
	 * Changes fields of a credential as the editor does: it sends all fields back, with placeholders for
	 * those that n8n does not reveal.
	 */
	async editCredential(credential: Stored, fields: object): Promise<void> {
		await this.send('PATCH', `/credentials/${credential.id}`, await this.#edited(credential, fields));
	}

	/** Tests a credential with unsaved changes, as the editor does. */
	async testCredential(credential: Stored, fields: object): Promise<INodeCredentialTestResult> {
		return await this.send('POST', '/credentials/test', { credentials: await this.#edited(credential, fields) });
	}

	async #edited({ id }: Stored, fields: object): Promise<object> {
		const path = `/credentials/${id}?includeData=true`;
		const { name, type, data } = await this.send<Stored & { type: string; data: object }>('GET', path);
		return { id, name, type, data: { ...data, ...fields } };
	}

	async createWorkflow(workflow: object): Promise<StoredWorkflow> {
		// n8n 1 requires `active`.
		return await this.send('POST', '/workflows', { active: false, ...workflow });
	}

	/** Activates a workflow and waits until its triggers work, which n8n starts after it has responded. */
	async activate({ id, versionId }: Pick<StoredWorkflow, 'id' | 'versionId'>): Promise<void> {
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
		await this.hasStatus(id, 'published');
	}

	/**
	 * Deactivates a workflow, and waits until n8n has done so. If it is activated again before that, n8n's scheduler has
	 * deleted its poll times and does not add them again (2.40.7).
	 */
	async deactivate(id: string): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`, {});
		await this.hasStatus(id, 'not_published');
	}

	/** Waits until the triggers of a workflow work, or have stopped. */
	async hasStatus(id: string, wanted: 'published' | 'not_published'): Promise<void> {
		// n8n 1 has no such status: it responds only then.
		if (isN8n1) return;
		const path = `/workflows/${id}/publication-status`;
		const isMet = async () => (await this.send<{ status: string }>('GET', path)).status === wanted;
		await until(`workflow ${id} is ${wanted}`, isMet);
	}

	/** Returns the latest executions of a workflow, newest first, as many as n8n lists at once. */
	async executions(workflowId: string): Promise<StoredExecution[]> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
		const { results } = await this.send<{ results: StoredExecution[] }>('GET', `/executions?${query.toString()}`);
		return results;
	}

	/** Executes a workflow from a trigger, like the button in the editor. Returns its error, and what each node returned. */
	async execute(workflowId: string, trigger: string) {
		// n8n 1 expects the workflow as the editor has it.
		const workflowData = isN8n1 ? await this.send('GET', `/workflows/${workflowId}`) : undefined;
		const path = `/workflows/${workflowId}/run`;
		const run = { workflowData, triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.send<{ executionId: string }>('POST', path, run);
		const isDone = async () => isFinished(await this.send<StoredExecution>('GET', `/executions/${executionId}`));
		await until(`the execution from ${trigger} has finished`, isDone);
		const { error, runData } = (await this.executionData(executionId)).resultData;
		return { error: error?.message, outputs: runData };
	}

	/** Returns the data of a finished execution. */
	async executionData(id: string): Promise<IRunExecutionData> {
		const { data } = await this.send<{ data: string }>('GET', `/executions/${id}`);
		const { parse } = await import('flatted');
		return parse(data) as IRunExecutionData;
	}
}

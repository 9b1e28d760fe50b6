import { randomBytes, randomUUID } from 'node:crypto';

import type { INodeCredentialTestResult, INodeTypeDescription, IRunData, IRunExecutionData } from 'n8n-workflow';
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

export interface StoredExecution {
	id: string;
	status: string;
}

/** What became of an execution. */
export interface Finished {
	status: string;
	/** The message of the error, if it failed. */
	error?: string;
	/** What each node returned. */
	outputs: IRunData;
}

/** n8n lists at most this many executions at once. */
const MAX_LISTED = 100;

const UNFINISHED = ['new', 'running', 'waiting'];

export function isFinished({ status }: Pick<StoredExecution, 'status'>): boolean {
	return !UNFINISHED.includes(status);
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

class RestError extends Error {
	constructor(
		message: string,
		readonly status: number,
	) {
		super(message);
	}
}

/** Returns an owner with a password of its own. */
export function newOwner(): Owner {
	return { email: 'owner@example.com', password: newSecret() };
}

/** The REST API of n8n's editor, signed in as the owner. */
export class Rest {
	readonly #browserId = randomUUID();
	#cookie = '';

	readonly #baseUrl: string;

	/** @param owner by default one with a new password, to set up */
	constructor(
		baseUrl: string,
		readonly owner = newOwner(),
	) {
		this.#baseUrl = baseUrl;
	}

	/** Creates the owner of a new n8n and signs in. */
	async setUpOwner(): Promise<void> {
		await this.send('POST', '/owner/setup', { ...this.owner, firstName: 'The', lastName: 'Owner' });
		await this.signIn();
	}

	async signIn(): Promise<void> {
		await this.send('POST', '/login', {
			emailOrLdapLoginId: this.owner.email,
			password: this.owner.password,
		});
	}

	/** Returns `data` of the response. */
	async send<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
		return (JSON.parse(await this.#request(method, `/rest${path}`, body)) as { data: T }).data;
	}

	async #request(method: Method, path: string, body?: object): Promise<string> {
		const cookie = this.#cookie && { cookie: this.#cookie };
		const response = await request(`${this.#baseUrl}${path}`, {
			method,
			headers: { 'content-type': 'application/json', 'browser-id': this.#browserId, ...cookie },
			body: body ? JSON.stringify(body) : null,
		});
		const [sent] = [response.headers['set-cookie'] ?? []].flat();
		if (sent) this.#cookie = sent.split(';')[0] ?? '';
		const { statusCode } = response;
		const text = await response.body.text();
		if (statusCode >= 400) throw new RestError(`n8n: ${method} ${path}: ${statusCode} ${text}`, statusCode);
		return text;
	}

	/** All node types, as the editor gets them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return JSON.parse(await this.#request('GET', '/types/nodes.json')) as INodeTypeDescription[];
	}

	/** Stores a credential for a sandbox's private app. Given fields replace the app's. */
	async addPrivateApp(
		{ baseUrl, clientId, clientSecret }: Sandbox,
		fields: Record<string, string> = {},
	): Promise<Stored> {
		const data = { baseUrl, clientId, clientSecret, ...fields };
		return await this.#createCredential('Sandbox', 'profilePageApi', data);
	}

	/** Stores a credential for a service's public app. Given fields replace the app's. */
	async addPublicApp(
		{ baseUrl, publicApp }: Pick<Sandbox, 'baseUrl' | 'publicApp'>,
		fields: Record<string, string | boolean> = {},
	): Promise<Stored> {
		const data = { baseUrl, ...publicApp, ...fields };
		return await this.#createCredential('Sandbox (public app)', 'profilePageOAuth2Api', data);
	}

	/** Stores a bearer token that a trigger requires from its clients. */
	async addClientToken(token: string): Promise<Stored> {
		return await this.#createCredential('Token of the clients', 'httpBearerAuth', { token });
	}

	/** Stores a credential for a chat model with the API of OpenAI. */
	async addChatModel(url: string): Promise<Stored> {
		return await this.#createCredential('Model', 'openAiApi', { apiKey: 'a key', url });
	}

	/** Returns the address of the service at which a public app is connected. */
	async authorizationUrl({ id }: Stored): Promise<string> {
		return await this.send('GET', `/oauth2-credential/auth?id=${id}`);
	}

	/** Returns a page of n8n, as the owner sees it. */
	async page(url: string): Promise<string> {
		const { body } = await request(url, { headers: { cookie: this.#cookie } });
		return await body.text();
	}

	async #createCredential(name: string, type: string, data: object): Promise<Stored> {
		return await this.send('POST', '/credentials', { name, type, data });
	}

	/**
	 * Changes fields of a credential as the editor does: it sends all fields back, with placeholders for
	 * those that n8n does not reveal.
	 */
	async editCredential({ id }: Stored, fields: object): Promise<void> {
		await this.send('PATCH', `/credentials/${id}`, await this.#edited(id, fields));
	}

	/** Tests a credential with unsaved changes, as the editor does. */
	async testCredential({ id }: Stored, fields: object): Promise<INodeCredentialTestResult> {
		const credentials = await this.#edited(id, fields);
		return await this.send('POST', '/credentials/test', { credentials });
	}

	async #edited(id: string, fields: object): Promise<object> {
		const { name, type, data } = await this.send<Stored & { type: string; data: object }>(
			'GET',
			`/credentials/${id}?includeData=true`,
		);
		return { id, name, type, data: { ...data, ...fields } };
	}

	async createWorkflow(workflow: object): Promise<Stored & { versionId: string }> {
		// n8n 1 requires `active`.
		return await this.send('POST', '/workflows', { active: false, ...workflow });
	}

	/** Saves a new version of a workflow, which is not published yet. */
	async updateWorkflow({ id }: Pick<Stored, 'id'>, workflow: object): Promise<Stored & { versionId: string }> {
		return await this.send('PATCH', `/workflows/${id}`, workflow);
	}

	/** Activates a workflow and waits until its triggers work, which n8n starts after it has responded. */
	async activate({ id, versionId }: { id: string; versionId: string }): Promise<void> {
		await this.send('POST', `/workflows/${id}/activate`, { versionId });
		await this.published(id);
	}

	/** Waits until the triggers of an active workflow work. */
	async published(id: string): Promise<void> {
		await until(`workflow ${id} is published`, async () => await this.#hasStatus(id, 'published'));
	}

	/**
	 * Deactivates a workflow, and waits until n8n has done so. If it is activated again before that, n8n's scheduler has
	 * deleted its poll times and does not add them again (2.40.7).
	 */
	async deactivate(id: string): Promise<void> {
		await this.send('POST', `/workflows/${id}/deactivate`, {});
		await until(`workflow ${id} is not published`, async () => await this.#hasStatus(id, 'not_published'));
	}

	async #hasStatus(id: string, wanted: 'published' | 'not_published'): Promise<boolean> {
		try {
			const path = `/workflows/${id}/publication-status`;
			return (await this.send<{ status: string }>('GET', path)).status === wanted;
		} catch (error) {
			// n8n 1 has no such status: it responds only once the triggers work, or have stopped.
			if (error instanceof RestError && error.status === 404) return true;
			throw error;
		}
	}

	/**
	 * Returns executions of a workflow, newest first: the latest ones, as many as n8n lists at once.
	 *
	 * @param range limits them to IDs from and to these
	 */
	async executions(workflowId: string, range: Record<string, string> = {}): Promise<StoredExecution[]> {
		const filter = JSON.stringify({ workflowId });
		const query = new URLSearchParams({ filter, limit: String(MAX_LISTED), ...range });
		const { results } = await this.send<{ results: StoredExecution[] }>('GET', `/executions?${query.toString()}`);
		return results;
	}

	/**
	 * Returns all executions of a workflow, newest first.
	 *
	 * @param afterId only those after the execution with this ID
	 */
	async allExecutions(workflowId: string, afterId = '0'): Promise<StoredExecution[]> {
		const all: StoredExecution[] = [];
		for (;;) {
			// n8n filters by ID, and sorts by it, only with both ends of the range.
			const lastId = all.at(-1)?.id ?? String(2 ** 31 - 1);
			const executions = await this.executions(workflowId, { firstId: afterId, lastId });
			all.push(...executions);
			if (executions.length < MAX_LISTED) return all;
		}
	}

	/** Executes a workflow from a trigger, like the button in the editor. Returns what became of it. */
	async execute(workflowId: string, trigger: string): Promise<Finished> {
		const before = (await this.executions(workflowId)).length;
		// n8n 1 expects the workflow as the editor has it.
		const workflowData = isN8n1 ? await this.send('GET', `/workflows/${workflowId}`) : undefined;
		await this.send('POST', `/workflows/${workflowId}/run`, { workflowData, triggerToStartFrom: { name: trigger } });
		let finished: StoredExecution | undefined;
		await until(`the execution from ${trigger} has finished`, async () => {
			const [latest, ...others] = await this.executions(workflowId);
			if (others.length === before && latest && isFinished(latest)) finished = latest;
			return finished !== undefined;
		});
		const { error, runData } = (await this.executionData(finished!.id)).resultData;
		return { status: finished!.status, error: error?.message, outputs: runData };
	}

	/** Returns the data of a finished execution. */
	async executionData(id: string): Promise<IRunExecutionData> {
		const { data } = await this.send<{ data: string }>('GET', `/executions/${id}`);
		const { parse } = await import('flatted');
		return parse(data) as IRunExecutionData;
	}
}

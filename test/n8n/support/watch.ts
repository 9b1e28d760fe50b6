import { firstOutput, type N8n } from './n8n';
import { until } from './processes';
import type { Stored } from './rest';
import { chain, noOperation, profilePageTrigger } from './workflows';

/** In seconds. */
const INTERVAL = 3;

const NODE = 'Announce';

/** A workflow with a Profile Page Trigger. */
export class Watch {
	readonly #n8n: N8n;
	readonly #credential: Stored;
	#version: Stored & { versionId: string };

	private constructor(n8n: N8n, credential: Stored, version: Stored & { versionId: string }) {
		this.#n8n = n8n;
		this.#credential = credential;
		this.#version = version;
	}

	/** Stores the workflow without activating it. */
	static async create(n8n: N8n, name: string, credential: Stored): Promise<Watch> {
		const workflow = workflowOf(name, credential, INTERVAL);
		return new Watch(n8n, credential, await n8n.rest.createWorkflow(workflow));
	}

	get id(): string {
		return this.#version.id;
	}

	/** Activates the version that was saved last. */
	async activate(): Promise<void> {
		await this.#n8n.rest.activate(this.#version);
	}

	async deactivate(): Promise<void> {
		await this.#n8n.rest.deactivate(this.id);
	}

	/** Saves a new version that polls every so many seconds, and publishes it. */
	async publishNewVersion(interval: number): Promise<void> {
		const { name, versionId } = this.#version;
		const workflow = { ...workflowOf(name, this.#credential, interval), versionId };
		this.#version = await this.#n8n.rest.updateWorkflow(this, workflow);
		await this.activate();
	}

	/** The titles of the links in each execution that succeeded, the oldest execution first. */
	async emitted(): Promise<string[][]> {
		const ids = await this.#executions('success');
		return await Promise.all(
			ids.map(async (id) => {
				const { runData } = (await this.#n8n.rest.executionData(id)).resultData;
				return firstOutput(runData, NODE).map(({ json }) => json.title as string);
			}),
		);
	}

	/** The messages of the failed executions, the oldest first. */
	async errors(): Promise<string[]> {
		const ids = await this.#executions('error');
		return await Promise.all(
			ids.map(async (id) => {
				const { error } = (await this.#n8n.rest.executionData(id)).resultData;
				return error?.message ?? '';
			}),
		);
	}

	/** Waits until a link has been emitted. */
	async emits(title: string): Promise<void> {
		const isEmitted = async () => (await this.emitted()).flat().includes(title);
		await until(`"${title}" is emitted`, isEmitted);
	}

	async #executions(wanted: string): Promise<string[]> {
		const executions = await this.#n8n.rest.executions(this.id);
		return executions.flatMap(({ id, status }) => (status === wanted ? [id] : [])).reverse();
	}
}

function workflowOf(name: string, credential: Stored, interval: number): object {
	return chain(name, profilePageTrigger(credential, interval), noOperation(NODE));
}

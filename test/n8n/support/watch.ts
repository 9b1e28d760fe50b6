import { setTimeout as wait } from 'node:timers/promises';

import type { Harness } from './harness';
import { firstOutput } from './n8n';
import { until } from './processes';
import type { Stored, StoredWorkflow } from './rest';
import { chain, type Node, profilePageTrigger } from './workflows';

/** For how long n8n has not polled once it polls no more, in milliseconds. */
const QUIET_MS = 8000;

/** The node after the trigger. */
const next: Node = { name: 'Announce', type: 'n8n-nodes-base.noOp', parameters: {} };

/** A workflow with a Profile Page Trigger, and the links that it has to report. */
export class Watch {
	readonly #harness: Harness;
	readonly #credential: Stored;
	readonly #expected: string[] = [];
	#workflow!: StoredWorkflow;
	/** In seconds. */
	#interval = 3;

	private constructor(harness: Harness, credential: Stored) {
		this.#harness = harness;
		this.#credential = credential;
	}

	/** Stores the workflow, with a credential of its own, and publishes it. */
	static async publish(harness: Harness): Promise<Watch> {
		const watch = new Watch(harness, await harness.n8n.rest.addPrivateApp(harness.sandbox));
		watch.#workflow = await harness.n8n.rest.createWorkflow(watch.#build());
		await watch.publishAgain();
		return watch;
	}

	get id(): string {
		return this.#workflow.id;
	}

	/** Publishes the version that was saved last. */
	async publishAgain(): Promise<void> {
		await this.#harness.n8n.rest.activate(this.#workflow);
	}

	/** Unpublishes the workflow, and waits until n8n polls no more: on a slow machine, polls that were due still run. */
	async unpublish(): Promise<void> {
		await this.#harness.n8n.rest.deactivate(this.id);
		let before: number;
		do {
			before = this.#requests;
			await wait(QUIET_MS);
		} while (this.#requests > before);
	}

	/** Saves a new version with other poll times, and publishes it. */
	async publishNewVersion(): Promise<void> {
		this.#interval = this.#interval === 3 ? 5 : 3;
		const workflow = { ...this.#build(), versionId: this.#workflow.versionId };
		this.#workflow = await this.#harness.n8n.rest.send('PATCH', `/workflows/${this.id}`, workflow);
		await this.publishAgain();
	}

	/** Adds a link to the profile. */
	addLink(title: string): void {
		this.#expected.push(title);
		this.#harness.sandbox.account.links.add({ title, link: `https://example.com/${title}` });
	}

	/** How many requests for the list of links there were. */
	get #requests(): number {
		return this.#harness.sandbox.recorder.requests.filter(({ url }) => url.startsWith('/oauth/v1/lnk/list')).length;
	}

	/** Waits until the service has been polled some times. */
	async polls(count: number): Promise<void> {
		const wanted = this.#requests + count;
		await until(`${count} polls`, () => this.#requests >= wanted);
		// n8n stores what came of the last one.
		await wait(500);
	}

	/** Waits until the last link is reported, then for two more polls, and expects that each was, once and in order. */
	async expectReported(): Promise<void> {
		const isReported = async () => (await this.#reported()).includes(this.#expected.at(-1)!);
		await until(`"${this.#expected.at(-1)}" is reported`, isReported);
		await this.polls(2);
		expect(await this.#reported()).toEqual(this.#expected);
	}

	/** The titles of the links that it has reported, the oldest first. */
	async #reported(): Promise<string[]> {
		const executions = await this.#executions('success');
		return executions.flatMap(({ runData }) => firstOutput(runData, next.name).map(({ json }) => json.title as string));
	}

	/** The messages of the failed executions, the oldest first. */
	async errors(): Promise<string[]> {
		return (await this.#executions('error')).map(({ error }) => error?.message ?? '');
	}

	/** What became of its executions with a status, the oldest first. */
	async #executions(wanted: string) {
		const executions = (await this.#harness.n8n.rest.executions(this.id)).filter(({ status }) => status === wanted);
		const read = async ({ id }: { id: string }) => (await this.#harness.n8n.rest.executionData(id)).resultData;
		return await Promise.all(executions.reverse().map(read));
	}

	#build(): object {
		return chain('Watch', profilePageTrigger(this.#credential, this.#interval), next);
	}
}

import { setTimeout as wait } from 'node:timers/promises';

import type { FaultRule } from '../../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import type { N8n } from './n8n';
import { until } from './processes';
import { Watch } from './watch';

/** For how long n8n has not polled once it polls no more, in milliseconds: the interval is three seconds. */
const QUIET_MS = 10_000;

export type CreateTrial = () => Promise<Trial>;

/** A trigger with a service of its own, so that many can be tried at once in one n8n. */
export class Trial {
	private constructor(
		readonly sandbox: Sandbox,
		readonly watch: Watch,
	) {}

	/** Stores a workflow without publishing it. */
	static async create(n8n: N8n, name: string): Promise<Trial> {
		const sandbox = await startSandbox();
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const watch = await Watch.create(n8n, name, credential);
		return new Trial(sandbox, watch);
	}

	/** Adds a link to the profile. */
	link(title: string): void {
		this.sandbox.account.links.add({ title, link: `https://example.com/${title}` });
	}

	/** Makes requests for the list fail or wait. */
	onList(rule: Omit<FaultRule, 'path'>): void {
		this.sandbox.faults.add({ path: '/lnk/list', ...rule });
	}

	/** How many requests for the list there were. */
	requests(): number {
		return this.sandbox.recorder.requests.filter(({ url }) => url.startsWith('/oauth/v1/lnk/list')).length;
	}

	/** Waits until the service has been polled some times. */
	async polls(count: number): Promise<void> {
		const wanted = this.requests() + count;
		await until(`${count} polls`, () => this.requests() >= wanted);
		// n8n stores what came of the last one.
		await wait(500);
	}

	/** Unpublishes the workflow, and waits until n8n polls no more: on a slow machine, polls that were due still run. */
	async unpublish(): Promise<void> {
		await this.watch.deactivate();
		let before: number;
		do {
			before = this.requests();
			await wait(QUIET_MS);
		} while (this.requests() > before);
	}

	/** Waits for a link, then for two more polls, and expects that the links were emitted in this order. */
	async expectEmitted(titles: string[]): Promise<void> {
		await this.watch.emits(titles.at(-1)!);
		await this.polls(2);
		expect((await this.watch.emitted()).flat()).toEqual(titles);
	}

	/** Unpublishes the workflow, and stops the service. */
	async close(): Promise<void> {
		await this.watch.deactivate();
		await this.sandbox.close();
	}
}

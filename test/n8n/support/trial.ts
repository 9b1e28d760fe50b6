import { setTimeout as wait } from 'node:timers/promises';

import type { FaultRule } from '../../../sandbox/faults';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server';
import type { N8n } from './n8n';
import { until } from './processes';
import type { Stored } from './rest';
import { Watch, type WatchOptions } from './watch';

/** Returns the second of a minute, some seconds from now. */
export function secondFromNow(seconds: number): number {
	return new Date(Date.now() + seconds * 1000).getSeconds();
}

/** Another app of each service. */
export const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

/** For how long n8n has not polled once it polls no more, in milliseconds: the interval is three seconds. */
const QUIET_MS = 10_000;

export type CreateTrial = (options?: WatchOptions) => Promise<Trial>;

/** A trigger with a service of its own, so that many can be tried at once in one n8n. */
export class Trial {
	readonly #sandboxes: Sandbox[] = [];

	private constructor(
		readonly n8n: N8n,
		readonly sandbox: Sandbox,
		readonly credential: Stored,
		readonly watch: Watch,
	) {
		this.#sandboxes.push(sandbox);
	}

	/** Stores a workflow without publishing it. */
	static async create(n8n: N8n, name: string, options?: WatchOptions, service?: SandboxOptions): Promise<Trial> {
		const sandbox = await startSandbox(service);
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const watch = await Watch.create(n8n, name, credential, options);
		return new Trial(n8n, sandbox, credential, watch);
	}

	/** Starts another service, which stops with the trial. */
	async startSandbox(): Promise<Sandbox> {
		const sandbox = await startSandbox();
		this.#sandboxes.push(sandbox);
		return sandbox;
	}

	/** Adds a link to the profile. */
	link(title: string, { groupId, sandbox = this.sandbox }: LinkOptions = {}): void {
		const link = `https://example.com/${title}`;
		sandbox.account.links.add({ title, link, group_id: groupId });
	}

	/** Makes requests for the list fail or wait. */
	onList(rule: Omit<FaultRule, 'path'>): void {
		this.sandbox.faults.add({ path: '/lnk/list', ...rule });
	}

	/** How many requests for the list there were. */
	requests({ recorder } = this.sandbox): number {
		return recorder.requests.filter(({ url }) => url.startsWith('/oauth/v1/lnk/list')).length;
	}

	/** Waits until the service has been polled some times. */
	async polls(count: number, sandbox = this.sandbox): Promise<void> {
		const wanted = this.requests(sandbox) + count;
		await until(`${count} polls`, () => this.requests(sandbox) >= wanted);
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
	async expectEmitted(titles: string[], sandbox = this.sandbox): Promise<void> {
		await this.watch.emits(titles.at(-1)!);
		await this.polls(2, sandbox);
		expect((await this.watch.emitted()).flat()).toEqual(titles);
	}

	/** Unpublishes the workflow, and stops the services. */
	async close(): Promise<void> {
		await this.watch.deactivate();
		await this.stopServices();
	}

	async stopServices(): Promise<void> {
		for (const sandbox of this.#sandboxes.splice(0)) await sandbox.close();
	}
}

interface LinkOptions {
	groupId?: number;
	sandbox?: Sandbox;
}

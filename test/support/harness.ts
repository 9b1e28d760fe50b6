import { setTimeout as wait } from 'node:timers/promises';

import type {
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeListSearchItems,
	INodeParameters,
	IRun,
	ITaskData,
	IWorkflowSettings,
	NodeExecutionHint,
} from 'n8n-workflow';

import {
	CredentialStore,
	loadList,
	type LoadedPackage,
	loadPackage,
	PollingTrigger,
	type PollingWay,
	processedData,
	runWorkflow,
	stopEngine,
	type WorkflowFile,
} from '../../runner';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { recordError, recordMessages } from './messages';
import './pauses';
import { codeGrant, REDIRECT_URI, requestToken } from './serviceClient';

export const NODE = 'Profile Page';

/** Settings of a node that make it the trigger. */
export const TRIGGER = {
	name: 'Profile Page Trigger',
	type: 'n8n-nodes-profile-page.profilePageTrigger',
};

export interface RunNodeOptions {
	/** The items that the node gets; one empty item if left out. */
	items?: Array<INodeExecutionData['json']>;
	/** Settings of the node, such as `onError`. */
	settings?: Partial<INode>;
	/** Fields of the credential that differ from those that fit the sandbox. */
	credential?: Record<string, string>;
	/** Tokens of the public app. The node then uses the OAuth2 credential. */
	publicAppTokens?: Tokens;
	/** Settings of the workflow, such as its time zone. */
	workflow?: IWorkflowSettings;
	/** Cancels the run. */
	signal?: AbortSignal;
	/** The ID of the execution; a new one if left out. */
	executionId?: string;
	/** The ID of the workflow; empty if it is not saved. */
	workflowId?: string;
	/** The credential store; a new one by default. */
	store?: CredentialStore;
	/** A credential in that store; a new one by default. */
	reference?: INodeCredentialsDetails;
}

/** The token response of the authorization-code flow, as n8n stores it. */
export type Tokens = Record<string, string | number>;

/** The result of running the node. */
export interface Outcome {
	run: IRun;
	/** The first output. */
	items: INodeExecutionData[];
	/** The error output. */
	errorItems: INodeExecutionData[];
	/** What the editor shows above the output. */
	hints: NodeExecutionHint[];
	/** The error that stopped the node, as n8n stores and shows it. */
	error: ITaskData['error'];
	/** The access token that n8n stores after the run. */
	storedToken: unknown;
	/** The same for a public app. */
	storedTokens: unknown;
}

/**
 * Loads the built package into n8n's engine for the tests of a file, and starts a new sandbox for each
 * test. Use the harness only inside tests and hooks.
 */
export function useHarness(options?: SandboxOptions): Harness {
	const harness = new Harness();
	beforeAll(async () => {
		recordMessages();
		await harness.load();
	});
	beforeEach(async () => await harness.restart(options));
	afterEach(async () => await harness.stopSandboxes());
	afterAll(() => stopEngine());
	return harness;
}

/** n8n's engine with the built package, and a sandbox. */
export class Harness {
	loaded!: LoadedPackage;
	sandbox!: Sandbox;
	readonly #sandboxes: Sandbox[] = [];

	async load(): Promise<void> {
		this.loaded = await loadPackage();
	}

	/** Stops all sandboxes and starts a new one. n8n forgets what nodes have processed. */
	async restart(options?: SandboxOptions): Promise<void> {
		processedData.clear();
		await this.stopSandboxes();
		this.sandbox = await this.startSandbox(options);
	}

	/** Starts another sandbox, which is stopped after the test. */
	async startSandbox(options?: SandboxOptions): Promise<Sandbox> {
		const sandbox = await startSandbox(options);
		this.#sandboxes.push(sandbox);
		return sandbox;
	}

	/** Starts a sandbox and stops it, so that its address refuses connections. */
	async stoppedSandbox(): Promise<Sandbox> {
		const sandbox = await startSandbox();
		await sandbox.close();
		return sandbox;
	}

	async stopSandboxes(): Promise<void> {
		for (const sandbox of this.#sandboxes.splice(0)) await sandbox.close();
	}

	/** Forgets requests, faults and token lifetimes, for another run within a test. */
	reset(): void {
		this.sandbox.recorder.reset();
		this.sandbox.faults.clear();
		this.sandbox.oauth.resetLifetime();
	}

	/** A store of its own for each run, so that each begins without a token. */
	newStore(): CredentialStore {
		return new CredentialStore(this.loaded);
	}

	/** A store of its own with a credential for the sandbox's private app, for several runs with one account. */
	newAccount(fields?: Record<string, string>): { store: CredentialStore; reference: INodeCredentialsDetails } {
		const store = this.newStore();
		return { store, reference: this.addCredential(store, fields) };
	}

	/** Gets tokens for the public app, as n8n does once the owner has allowed it. */
	async connectPublicApp(): Promise<Tokens> {
		const { publicApp, oauth } = this.sandbox;
		const code = oauth.issueCode({ redirectUri: REDIRECT_URI, state: 'state' });
		const { body } = await requestToken(this.sandbox, codeGrant(code), publicApp);
		this.sandbox.recorder.reset();
		return body as Tokens;
	}

	/** Runs a workflow of two nodes: one that returns the items, and the Profile Page node. */
	async runNode(parameters: INodeParameters, options: RunNodeOptions = {}): Promise<Outcome> {
		const { store, reference } = this.#open(options);
		const run = await this.#run(store, reference, parameters, options);
		const { accessToken: storedToken, oauthTokenData: storedTokens } = store.read(reference);
		return { ...readOutcome(run), storedToken, storedTokens };
	}

	/** Expects that the node rejected an item with this message and description, and sent nothing. */
	expectRefused(error: Outcome['error'], message: unknown, description?: unknown): void {
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message,
			...(description !== undefined && { description }),
		});
		expect(this.sandbox.recorder.requests).toEqual([]);
	}

	/** Loads a list that a field of the node offers; with a filter, that of a resource locator. */
	async loadList(name: string, filter?: string, options: RunNodeOptions = {}): Promise<INodeListSearchItems[]> {
		const { store, reference } = this.#open(options);
		const list = loadList(this.loaded, store, this.#node(reference, {}, options), name, filter);
		list.catch((error: unknown) => recordMessages((error as Error).message));
		return await list;
	}

	/** Returns a trigger that is not active yet. */
	newTrigger(parameters: INodeParameters = {}, options: RunNodeOptions & { way?: PollingWay } = {}): PollingTrigger {
		const { store, reference } = this.#open(options);
		const settings = { ...TRIGGER, ...options.settings };
		const node = this.#node(reference, parameters, { ...options, settings });
		return new PollingTrigger(this.loaded, store, node, options.way);
	}

	/**
	 * Runs the workflow of {@link runNode} several times at once, or `between` milliseconds apart, with one
	 * credential and a store that takes 100 ms to write.
	 */
	async runInParallel(
		parameters: INodeParameters,
		options: Omit<RunNodeOptions, 'store' | 'reference'> & { executions: number; between?: number },
	): Promise<IRun[]> {
		const { store, reference } = this.#open(options);
		store.writeDelay = 100;
		return await Promise.all(
			Array.from({ length: options.executions }, async (_, index) => {
				await wait(index * (options.between ?? 0));
				return await this.#run(store, reference, parameters, options);
			}),
		);
	}

	/** Returns the store and the credential that the options name, or new ones. */
	#open(options: RunNodeOptions): { store: CredentialStore; reference: INodeCredentialsDetails } {
		const { store = this.newStore(), reference = this.#add(store, options) } = options;
		return { store, reference };
	}

	#add(store: CredentialStore, options: RunNodeOptions): INodeCredentialsDetails {
		return options.publicAppTokens
			? this.addPublicApp(store, options.publicAppTokens, options.credential)
			: this.addCredential(store, options.credential);
	}

	/** Stores a credential for the sandbox's private app. Given fields replace the app's. */
	addCredential(store: CredentialStore, fields: Record<string, string> = {}): INodeCredentialsDetails {
		const { baseUrl, clientId, clientSecret } = this.sandbox;
		return store.add('profilePageApi', { baseUrl, clientId, clientSecret, ...fields });
	}

	/** Stores the credential of the public app as it is once it has these tokens. */
	addPublicApp(
		store: CredentialStore,
		oauthTokenData: Tokens,
		fields: Record<string, string> = {},
	): INodeCredentialsDetails {
		const { baseUrl, publicApp } = this.sandbox;
		const isConnected = Object.keys(oauthTokenData).length > 0;
		return store.add('profilePageOAuth2Api', {
			baseUrl,
			...publicApp,
			...(isConnected && { oauthTokenData }),
			...fields,
		});
	}

	async #run(
		store: CredentialStore,
		reference: INodeCredentialsDetails,
		parameters: INodeParameters,
		options: RunNodeOptions,
	): Promise<IRun> {
		const { items = [{}], workflow, signal, executionId, workflowId } = options;
		const file = oneNodeWorkflow(this.#node(reference, parameters, options), workflow);
		const input = items.map((json) => ({ json }));
		return await runWorkflow(this.loaded, store, file, { input, signal, executionId, workflowId });
	}

	#node(
		reference: INodeCredentialsDetails,
		parameters: INodeParameters,
		{ settings, publicAppTokens }: RunNodeOptions,
	): INode {
		if (!publicAppTokens)
			return profilePageNode(parameters, { credentials: { profilePageApi: reference }, ...settings });
		const credentials = { profilePageOAuth2Api: reference };
		return profilePageNode({ authentication: 'oAuth2', ...parameters }, { credentials, ...settings });
	}
}

export function profilePageNode(parameters: INodeParameters, settings: Partial<INode>): INode {
	return {
		id: 'profile-page',
		name: NODE,
		type: 'n8n-nodes-profile-page.profilePage',
		typeVersion: 1,
		position: [200, 0],
		parameters,
		...settings,
	};
}

export function oneNodeWorkflow(node: INode, settings?: IWorkflowSettings): WorkflowFile {
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	return {
		nodes: [start, node],
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		settings,
	};
}

function readOutcome(run: IRun): Omit<Outcome, 'storedToken' | 'storedTokens'> {
	const task = run.data.resultData.runData[NODE]?.[0];
	const outputs = task?.data?.main ?? [];
	const [items, errorItems] = [outputs[0] ?? [], outputs[1] ?? []];
	const hints = task?.hints?.map(({ message }) => message) ?? [];
	const errorTexts = [...items, ...errorItems].map(({ json }) => json.error);
	if (task?.error) recordError(task.error);
	recordMessages(...hints, ...errorTexts);
	return { run, items, errorItems, hints: task?.hints ?? [], error: task?.error };
}

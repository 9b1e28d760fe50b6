import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { INodeProperties } from 'n8n-workflow';

import type { N8n } from './n8n';
import { assemble, MCP_TRIGGER, type Node, place, type Workflow } from './workflows';

/** Builds a workflow that offers nodes as tools to AI models, with n8n's MCP Server Trigger. */
export function toolWorkflow(path: string, tools: readonly Node[]): Workflow {
	const trigger: Node = {
		name: 'MCP Server Trigger',
		type: MCP_TRIGGER,
		typeVersion: 2.1,
		webhookId: path,
		parameters: { path },
	};
	const nodes = [trigger, ...tools].map((node, index) => place(node, index, index && 1));
	const toTrigger = { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] };
	return assemble(
		path,
		nodes,
		tools.map(({ name }) => [name, toTrigger]),
	);
}

/** Returns what the editor's button "Let the model define" writes into a field. */
export function letModelDefine({ displayName, type, noDataExpression }: INodeProperties): string {
	if (type !== 'string' || noDataExpression) throw new Error(`${displayName} has no button "Let the model define"`);
	const key = displayName.replace(/[^a-zA-Z0-9-]/g, '_');
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, 'string') }}`;
}

/** The result of a tool call, as the model gets it. */
export interface ToolResponse {
	isError: boolean;
	text: string;
}

/** A client of the Model Context Protocol, like an AI application. */
export class McpClient {
	readonly #client: Client;

	private constructor(client: Client) {
		this.#client = client;
	}

	/**
	 * Connects to the MCP Server Trigger of an active workflow.
	 *
	 * @param token the bearer token, if the trigger requires one
	 */
	static async connect(n8n: N8n, path: string, token?: string): Promise<McpClient> {
		const client = new Client({ name: 'the AI application of a test', version: '1.0.0' });
		const requestInit = token ? { headers: { authorization: `Bearer ${token}` } } : {};
		const url = new URL(`${n8n.baseUrl}/mcp/${path}`);
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
		return new McpClient(client);
	}

	async tools(): Promise<Tool[]> {
		return (await this.#client.listTools()).tools;
	}

	async call(name: string, values: Record<string, unknown> = {}): Promise<ToolResponse> {
		const response = (await this.#client.callTool({ name, arguments: values })) as CallToolResult;
		const texts = response.content.map((part) => (part.type === 'text' ? part.text : part.type));
		return { isError: response.isError ?? false, text: texts.join('\n') };
	}

	async close(): Promise<void> {
		await this.#client.close();
	}
}

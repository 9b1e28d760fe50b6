import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The result of a tool call, as the model gets it. */
export interface ToolResponse {
	isError: boolean;
	text: string;
}

/** Connects to an MCP Server Trigger, like an AI application. */
export async function connectMcp(url: string, token: string): Promise<Client> {
	const client = new Client({ name: 'the AI application of a test', version: '1.0.0' });
	const requestInit = { headers: { authorization: `Bearer ${token}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
	return client;
}

export async function callTool(
	client: Client,
	name: string,
	values: Record<string, unknown> = {},
): Promise<ToolResponse> {
	const { content, isError = false } = (await client.callTool({ name, arguments: values })) as CallToolResult;
	return { isError, text: content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n') };
}

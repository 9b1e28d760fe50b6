import { json } from 'node:stream/consumers';

import { startHttpServer } from '../../support/httpServer';

/** What a chat model is sent, as far as the tests look at it. */
interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
}

/** A chat model with the API of OpenAI. It calls one tool, and then ends the conversation, whatever the tool returns. */
export class ChatModel {
	/** The name and the arguments of its next call. */
	toolCall: { name: string; values: object } = { name: '', values: {} };
	/** What it has read as the result of the call. */
	result = '';
	#server!: Awaited<ReturnType<typeof startHttpServer>>;

	static async start(): Promise<ChatModel> {
		const model = new ChatModel();
		model.#server = await startHttpServer((request, response) => {
			void json(request).then((body) => {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(model.#answer(body as ChatRequest)));
			});
		});
		return model;
	}

	get baseUrl(): string {
		return `${this.#server.origin}/v1`;
	}

	close(): void {
		this.#server.close();
	}

	#answer({ messages }: ChatRequest): object {
		const result = messages.find(({ role }) => role === 'tool');
		if (result) this.result = String(result.content);
		const { name, values } = this.toolCall;
		const call = { id: 'call', type: 'function', function: { name, arguments: JSON.stringify(values) } };
		const message = result ? { content: 'Done' } : { content: null, tool_calls: [call] };
		const finish_reason = result ? 'stop' : 'tool_calls';
		return {
			...{ id: 'answer', object: 'chat.completion', created: 0, model: 'a-model' },
			choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

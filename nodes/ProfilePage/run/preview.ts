import { randomUUID } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import type { Call, Planner } from '../resources/operation';

const HINT = 'This is a preview: nothing was changed. To make the change, turn off Preview.';

const ACTIONS = new Map<unknown, string>([
	['created', 'would_create'],
	['updated', 'would_update'],
	['deleted', 'would_delete'],
	['skipped', 'would_skip'],
]);

/**
 * Plans the same calls for a client that sends no change. They keep their order, never wait for other executions, may always
 * be repeated, and their output says what would happen.
 */
export function asPreview(planner: Planner): Planner {
	const scope = randomUUID();
	const preview = ({ purpose, key, perform }: Call): Call => ({
		purpose: { ...purpose, repeat: 'always' },
		key: key && `${scope} ${key}`,
		perform: async (client) => {
			const { items, notes = [], ...result } = await perform(client);
			return { ...result, items: items.map(toPreview), notes: [HINT, ...notes] };
		},
	});
	return { ...planner, plan: (inputs) => preview(planner.plan(inputs)) };
}

function toPreview({ json, ...item }: INodeExecutionData): INodeExecutionData {
	const { action } = json;
	const output = { preview: true, ...json, ...(action !== undefined && { action: ACTIONS.get(action) ?? action }) };
	// A link that was not created has no ID but that of the `PreviewClient`.
	const fields = Object.entries(output).filter(([name, value]) => name !== 'link_id' || !(Number(value) < 0));
	return { ...item, json: Object.fromEntries(fields) };
}

import type { IDataObject } from 'n8n-workflow';

import type { Call } from '../resources/operation';
import { asText } from '../shared/values';
import type { Task } from './plan';

const HINT = 'This is a preview: nothing was changed. To make the change, turn off Preview.';

/** Returns a task whose output says what would happen. Its `PreviewClient` changes nothing: it may always be repeated, and waits only for other previews. */
export function asPreview({ indexes, call }: Task): Task {
	const perform: Call['perform'] = async (session) => {
		const { items, notes = [], ...result } = await call.perform(session);
		const previews = items.map(({ json, ...item }) => ({ ...item, json: toPreview(json) }));
		return { ...result, items: previews, notes: [HINT, ...notes] };
	};
	const purpose = { ...call.purpose, repeat: 'always' } as const;
	return { indexes, call: { purpose, key: call.key && `preview ${call.key}`, perform } };
}

/** The action of a link becomes "would be created": no later node takes it for done. */
function toPreview({ action, ...json }: IDataObject): IDataObject {
	return { preview: true, ...(action !== undefined && { action: `would be ${asText(action)}` }), ...json };
}

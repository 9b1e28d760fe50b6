import type { IDataObject } from 'n8n-workflow';

import type { Call } from '../resources/operation';
import { Client } from '../service/client';
import type { ServiceRequest } from '../service/request';
import { isChange } from '../shared/failure';
import { asText } from '../shared/values';

/** Sends no change: a request reads the fields of its form as if the service returned them, with an ID such as "preview-1". */
export class PreviewClient extends Client {
	#changes = 0;

	override async request<T>(request: ServiceRequest<T>): Promise<T> {
		if (!isChange(request)) return await super.request(request);
		this.#changes += 1;
		return request.read({ data: { ...Object.fromEntries(request.form ?? []), id: `preview-${this.#changes}` } });
	}
}

const HINT = 'This is a preview: nothing was changed. To make the change, turn off Preview.';

/** Returns a call whose output says what would happen. It changes nothing, so it may be repeated, and waits only for other previews. */
export function asPreview(call: Call): Call {
	const perform: Call['perform'] = async (session) => {
		const { items, notes = [], ...result } = await call.perform(session);
		const previews = items.map(({ json, ...item }) => ({ ...item, json: toPreview(json) }));
		return { ...result, items: previews, notes: [HINT, ...notes] };
	};
	return { purpose: { ...call.purpose, repeat: 'always' }, key: call.key && `preview ${call.key}`, perform };
}

/** The action of a link becomes "would be created": no later node takes it for done. */
function toPreview({ action, ...json }: IDataObject): IDataObject {
	return { preview: true, ...(action !== undefined && { action: `would be ${asText(action)}` }), ...json };
}

import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { isBlank } from '../../shared/values';
import { toId } from '../lnkBio';

type Action = 'created' | 'updated' | 'deleted' | 'skipped' | 'unchanged';

/** Returns the output for a link, with what became of it. */
export function linkOutput(item: Item, action: Action, link: IDataObject) {
	return item.output([toOutput(link, action)]);
}

/** Returns what is known of a link, as all outputs show it, from its fields as the service lists or gets them. */
export function toOutput(link: IDataObject, action?: Action): IDataObject {
	const fields = {
		link_id: toId(link.link_id),
		action,
		title: link.title,
		url: link.link,
		image_url: link.image,
		group_id: toId(link.group_id),
		public_from: link.schedule_from,
		public_until: link.schedule_to,
		service_url: link.service_url,
		created_at: link.created_at,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value)));
}

import type { Operation } from '../operation';
import { idOf } from './knownLinks';
import { planChange } from './linkChange';
import { linkField } from './linkFields';
import { deleteRequest } from './linkRequests';

/** Delete an existing link (docs/api.md, section 4.6). */
export const deleteLink: Operation = {
	shown: { name: 'Delete', value: 'delete', description: 'Delete a link permanently', action: 'Delete link' },
	fields: [linkField],
	hasPreview: true,
	plan: ([item]) => planChange(item, 'deleted', async (links, link) => await links.change(deleteRequest(idOf(link)))),
};

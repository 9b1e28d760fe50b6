import { quotable } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import type { Operation } from '../operation';
import { preview } from '../options';
import { linkField, planChange } from './linkFields';

/** Delete an existing link (docs/api.md, section 4.6). */
export const deleteLink: Operation = {
	shown: { name: 'Delete', value: 'delete', description: 'Delete a link permanently', action: 'Delete link' },
	fields: [linkField],
	itemName: linkField,
	options: [preview],
	plan: ([item]) => {
		const linkId = linkField.read(item);
		const request = lnkBioRequest({
			path: '/oauth/v1/lnk/delete',
			form: [['link_id', linkId]],
			idempotent: true,
			subject: `link ${quotable(linkId)}`,
			effect: ['was', 'deleted'],
			advice: 'Check its ID. The link may have been deleted already.',
		});
		return planChange(item, linkId, request, 'deleted');
	},
};

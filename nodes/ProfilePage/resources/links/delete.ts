import { quotable } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import type { Call, Operation } from '../operation';
import { linkField } from './linkFields';
import { linkOutput } from './linkOutput';
import { toLinkId } from './linkRequests';

/** Delete an existing link (docs/api.md, section 4.6). */
export const deleteLink: Operation = {
	shown: { name: 'Delete', value: 'delete', description: 'Delete a link permanently', action: 'Delete link' },
	fields: [linkField],
	hasPreview: true,
	plan: ([item]) => {
		const linkId = linkField.read(item);
		const request = lnkBioRequest({
			path: '/oauth/v1/lnk/delete',
			form: [['link_id', linkId]],
			repeat: 'always',
			subject: `link ${quotable(linkId)}`,
			effect: ['was', 'deleted'],
			advice: 'Check its ID. The link may have been deleted already.',
			read: () => undefined,
		});
		const perform: Call['perform'] = async ({ links }) => {
			await links.change(request);
			return { items: linkOutput(item, 'deleted', { link_id: toLinkId(linkId) }) };
		};
		return { purpose: request, perform, key: linkId };
	},
};

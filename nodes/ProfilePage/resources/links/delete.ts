import { shorten } from '../../fields/readers';
import { type Operation, pairWith } from '../../operation';
import { linkField, planEachLink } from './linkFields';
import { toLinkId } from './linkRequests';

/** Delete an existing link (docs/api.md, section 4.6). */
export const deleteLink: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a link permanently',
		action: 'Delete a link',
	},
	fields: [linkField],
	plan: (context) =>
		planEachLink(context, (linkId, itemIndex) => ({
			request: {
				method: 'POST',
				path: '/oauth/v1/lnk/delete',
				form: { link_id: linkId },
				documentedBy: 'public documentation',
				idempotent: true,
				subject: `Link ${shorten(linkId)}`,
				outcome: 'was deleted',
				advice: 'Check its ID. The link may have been deleted already.',
			},
			read: () => ({ items: pairWith(itemIndex, [{ deleted: true, link_id: toLinkId(linkId) }]) }),
		})),
};

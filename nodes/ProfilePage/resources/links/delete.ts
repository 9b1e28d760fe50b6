import { shorten } from '../../fields/shorten';
import { type Operation, pairWith } from '../../operation';
import { linkField, planEachLink } from './linkField';

/**
 * Delete an existing link. The contract has its title only (section 1). Address and field are known from
 * the public documentation of a service with this API.
 */
export const deleteLink: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a link for good',
		action: 'Delete a link',
	},
	fields: [linkField],
	plan: (context) =>
		planEachLink(context, (linkId, itemIndex) => ({
			request: {
				method: 'POST',
				path: '/oauth/v1/lnk/delete',
				documentedBy: 'public documentation',
				form: { link_id: linkId },
				isIdempotent: true,
				failure: `Link ${shorten(linkId)} was not deleted`,
				unknownOutcome: `It is not known whether link ${shorten(linkId)} was deleted`,
				badRequestAdvice: 'Check its ID; it may be gone already.',
			},
			toItems: () => pairWith(itemIndex, [{ deleted: true }]),
		})),
};

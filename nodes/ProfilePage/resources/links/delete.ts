import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import { quotable } from '../../shared/values';
import { lnkBioRequest } from '../lnkBio';
import type { Call, CallResult, Operation } from '../operation';
import { type KnownLinks, withKnownLinks } from './knownLinks';
import { linkField } from './linkFields';
import { linkOutput } from './linkOutput';
import { MAX_LISTED, toLinkId } from './linkRequests';

/** Delete an existing link (docs/api.md, section 4.6). */
export const deleteLink: Operation = {
	shown: { name: 'Delete', value: 'delete', description: 'Delete a link permanently', action: 'Delete link' },
	fields: [linkField],
	hasPreview: true,
	prepare: withKnownLinks(planDeletion),
};

function planDeletion(item: Item, known: KnownLinks): Call {
	const linkId = linkField.read(item);
	const request = lnkBioRequest({
		path: '/oauth/v1/lnk/delete',
		form: [['link_id', linkId]],
		repeat: 'always',
		subject: `link ${quotable(linkId)}`,
		effect: ['was', 'deleted'],
		advice: 'Check its ID. The link may have been deleted already.',
	});
	const perform = async ({ isPreview }: Client) => {
		if (isPreview) return previewDeletion(item, linkId, await known.findListed(linkId));
		await known.change(request, linkId, 'deleted');
		return { items: linkOutput(item, 'deleted', { link_id: toLinkId(linkId), deleted: true }) };
	};
	return { purpose: request, perform, key: linkId };
}

/** Shows what would be deleted, as far as the list contains it. */
function previewDeletion(item: Item, linkId: string, listed?: IDataObject): CallResult {
	const { title, link } = listed ?? {};
	const items = linkOutput(item, 'deleted', { link_id: toLinkId(linkId), title, link });
	const problem = `Link ${quotable(linkId)} is not among the ${MAX_LISTED} newest public links, so its title is not known.`;
	return { items, notes: listed ? [] : [problem] };
}

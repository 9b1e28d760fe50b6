import { choiceField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { forget, remember } from '../../n8n/nodeMemory';
import type { Client } from '../../service/client';
import { asText, decodeEntities, trimmed } from '../../shared/values';
import { keys } from '../keys';
import type { Call, CallResult } from '../operation';
import type { Session } from '../session';
import { normalizeAddress } from './addresses';
import { isNotApplied, isScheduled, type KnownLink, type KnownLinks } from './knownLinks';
import { linkOutput } from './linkOutput';
import { createRequest, MAX_LISTED, type NewLink } from './linkRequests';

export const ifExistsField = choiceField('If Link Exists', 'ifExists', {
	options: [
		{ name: 'Create Another', value: 'create', description: 'Create the link without looking for others' },
		{ name: 'Skip', value: 'skip', description: 'Leave the existing link as it is' },
		{
			name: 'Update',
			value: 'update',
			description: 'Update the title of the newest link with the URL, and its group if one is set',
		},
	],
	default: 'create',
	description: `What to do if there is a link with the same URL. A slash at its end, a fragment, and every parameter count. Only the ${MAX_LISTED} newest public links can be found, and those that this node has scheduled.`,
});

const LIST_FULL = `The service lists only its ${MAX_LISTED} newest public links. An older link with the same URL was not found, so there may be two now.`;
const NOT_REMEMBERED =
	'n8n cannot remember that the link is scheduled, so each run creates it again until it is public. Save the workflow.';
const SCHEDULED =
	'This node has already scheduled a link with the same URL, or has tried to, so nothing was created. If the service does not have it, set If Link Exists to Create Another.';
const NOT_EDITABLE =
	'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';

/** Plans the creation of a link, unless it exists. Throws Failure if the field for that is invalid. */
export function planCreation(item: Item, newLink: NewLink): Call {
	const ifExists = ifExistsField.read(item);
	const perform = async ({ client, links, isPreview }: Session) => {
		const creation = { item, newLink, links, mark: isPreview ? undefined : markOf(newLink, client) };
		return await (ifExists === 'create' ? create(creation) : createUnlessExists(creation, ifExists));
	};
	return { purpose: createRequest(newLink), looksFirst: ifExists !== 'create', perform, key: keys.links };
}

interface Creation {
	readonly item: Item;
	readonly newLink: NewLink;
	readonly links: KnownLinks;
	/** The text by which n8n remembers a link that is scheduled until a list contains it; undefined for any other, and in a preview. */
	readonly mark?: string;
}

function markOf({ link, schedule_from: from }: NewLink, { account }: Client): string | undefined {
	return from === undefined ? undefined : JSON.stringify([account.id, normalizeAddress(link)]);
}

async function createUnlessExists(creation: Creation, ifExists: 'skip' | 'update'): Promise<CallResult> {
	const { item, newLink, links, mark } = creation;
	const { found, isListFull } = await links.find(newLink.link);
	const existing = found.find((link) => !isScheduled(link));
	if (!existing) return await (found.length > 0 ? skipScheduled(creation) : createAbsent(creation, isListFull));
	if (mark) await forget(item.context, mark);
	if (ifExists === 'update') return await update(creation, existing);
	return { items: linkOutput(item, 'skipped', existing.fields) };
}

/** Creates a link that is not known, unless n8n remembers that this node has scheduled it. */
async function createAbsent(creation: Creation, isListFull: boolean): Promise<CallResult> {
	const { mark } = creation;
	const { context } = creation.item;
	// Before the creation, as n8n may stop in between.
	const memory = mark && (await remember(context, mark));
	if (memory === 'known') return skipScheduled(creation);
	const warnings = [...(isListFull ? [LIST_FULL] : []), ...(memory === 'not noted' ? [NOT_REMEMBERED] : [])];
	try {
		return { ...(await create(creation)), warnings };
	} catch (error) {
		if (mark && isNotApplied(error)) await forget(context, mark);
		throw error as Error;
	}
}

/** Of a link that an earlier run has scheduled, only the address is known. The output is the same if this one has. */
function skipScheduled({ item, newLink: { link } }: Creation): CallResult {
	return { items: linkOutput(item, 'skipped', { link }), warnings: [SCHEDULED] };
}

async function create({ item, newLink, links }: Creation): Promise<CallResult> {
	return { items: linkOutput(item, 'created', await links.create(newLink)) };
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update({ item, newLink, links }: Creation, link: KnownLink): Promise<CallResult> {
	const { title, group_id, image, schedule_from: from, schedule_to: to } = newLink;
	const warnings = (image ?? from ?? to) === undefined ? [] : [NOT_EDITABLE];
	const isSameTitle = trimmed(decodeEntities(asText(link.fields.title))) === title;
	if (isSameTitle && group_id === undefined) return { items: linkOutput(item, 'unchanged', link.fields), warnings };
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	await links.update(link, { title, ...(group_id !== undefined && { group_id }) });
	return { items: linkOutput(item, 'updated', link.fields), warnings };
}

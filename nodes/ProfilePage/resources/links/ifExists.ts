import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { isExact } from '../../fields/readers';
import type { Client } from '../../service/client';
import { done, type Ended, type Failure, requestFailure } from '../../service/failure';
import type { Explanation, Purpose, ServiceRequest } from '../../service/request';
import { asText } from '../../shared/values';
import type { CallResult, Plan } from '../operation';
import { flagOption } from '../options';
import { type KnownLinks, knownLinksOf } from './knownLinks';
import { createRequest, editRequest, MAX_LISTED, type NewLink, readCreated, withUsefulFirst } from './linkRequests';

export const ifExistsField = choiceField({
	displayName: 'If Link Exists',
	name: 'ifExists',
	options: [
		{ name: 'Create Another', value: 'create', description: 'Create the link without looking for others' },
		{ name: 'Skip', value: 'skip', description: 'Leave the existing link as it is' },
		{
			name: 'Update',
			value: 'update',
			description: 'Update the title of the existing link, and its group if one is set',
		},
	],
	default: 'create',
	description:
		'What to do if there is a link with the same URL. A slash at its end, a fragment, and every parameter count, unless Match URLs Loosely is on in the options. Only the 50 newest public links can be found: no older ones, and none that are scheduled.',
});

export const looseUrls = flagOption({
	displayName: 'Match URLs Loosely',
	name: 'looseUrls',
	description:
		'Whether If Link Exists also finds a link whose URL differs only by a slash at the end of the path, a fragment, or tracking parameters, such as utm_source',
});

const LIST_FULL = `The service lists only its ${MAX_LISTED} newest public links. An older link with the same URL was not found, so there may be two now.`;
const SCHEDULED =
	'A scheduled link cannot be found until it is public. If the workflow runs again before that, it creates the link again.';
const SEVERAL = 'Several links have the same URL. Only the newest was updated.';
const NOT_EDITABLE =
	'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';

/** A link that is to be created, unless it exists. */
interface PlannedLink {
	readonly item: Item;
	readonly newLink: NewLink;
	readonly request: ServiceRequest;
	readonly known: KnownLinks;
	readonly client: Client;
}

/** Plans the creation of a link, unless it exists. Throws Failed if a field for that is invalid. */
export function planCreation(item: Item, newLink: NewLink): Plan {
	const mode = ifExistsField.read(item);
	const compared = looseUrls.read(item) ? 'loose' : 'exact';
	const request = createRequest(newLink);
	const perform = async (client: Client) => {
		const planned = { item, newLink, request, client, known: knownLinksOf(item.context, client.account) };
		return mode === 'create' ? await create(planned) : await createUnlessExists(planned, mode, compared);
	};
	return { purpose: request, perform, repeatable: mode !== 'create' && !isScheduled(newLink) };
}

function isScheduled({ schedule_from: from }: NewLink): boolean {
	return from !== undefined && Date.parse(from) > Date.now();
}

async function createUnlessExists(
	planned: PlannedLink,
	mode: 'skip' | 'update',
	compared: 'exact' | 'loose',
): Promise<Ended<CallResult>> {
	const { item, newLink, request, known, client } = planned;
	const found = await known.find(client, newLink.link, compared);
	if (found.outcome !== 'done') return { ...found, outcome: 'not applied', wanted: request };
	const { matches, isListFull, isUncertain } = found.result;
	const [newest, ...others] = matches;
	if (newest && mode === 'skip') return done({ items: output(item, newest, 'skipped') });
	if (newest) return await update(planned, newest, others);
	if (isUncertain) return notCreated(request, ...MAY_BE_SCHEDULED);
	const warnings = [...(isListFull ? [LIST_FULL] : []), ...(isScheduled(newLink) ? [SCHEDULED] : [])];
	return await create(planned, warnings);
}

async function create(planned: PlannedLink, warnings: string[] = []): Promise<Ended<CallResult>> {
	const { item, newLink, request, known, client } = planned;
	const { title, link } = newLink;
	const visibility = isScheduled(newLink) ? 'scheduled' : 'public';
	let created: IDataObject = {};
	const ended = await client.request(request, (envelope) => {
		created = readCreated(envelope, newLink);
		return { items: output(item, created, 'created'), warnings };
	});
	// The service may return another address. Later items are compared with the address that was sent.
	known.created({ ...created, title, link }, ended.outcome, visibility);
	return ended;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update(
	{ item, newLink, request, known, client }: PlannedLink,
	existing: IDataObject,
	others: IDataObject[],
): Promise<Ended<CallResult>> {
	const { title, group_id, image, schedule_from: from, schedule_to: to } = newLink;
	const { link_id: id } = existing;
	const hasFixedFields = (image ?? from ?? to) !== undefined;
	const warnings = [...(others.length > 0 ? [SEVERAL] : []), ...(hasFixedFields ? [NOT_EDITABLE] : [])];
	if (asText(existing.title) === title && group_id === undefined) {
		return done({ items: output(item, existing, 'unchanged'), warnings });
	}
	if (asText(id) === '' || (typeof id === 'number' && !isExact(id))) return notCreated(request, ...ID_UNKNOWN);
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const fields = { title, group_id };
	const items = output(item, { ...existing, title }, 'updated');
	const ended = await client.request(editRequest(asText(id), fields), () => ({ items, warnings }));
	known.changed(asText(id), ended.outcome, fields);
	return ended;
}

const MAY_BE_SCHEDULED: Explanation = [
	'there may be a scheduled link with the same URL already',
	'Look at your profile, and create the link only if it is missing.',
];

const ID_UNKNOWN: Explanation = [
	'a link with the same URL exists, but its ID is unknown',
	'Update that link at the service, or set If Link Exists to Skip.',
];

/** Returns the failure of a creation that was not sent. */
function notCreated(purpose: Purpose, problem: string, advice?: string): Failure {
	return requestFailure(problem, advice, { outcome: 'not applied', purpose });
}

/** Returns the output for a link, with what happened to it. */
function output(item: Item, link: IDataObject, action: 'created' | 'updated' | 'skipped' | 'unchanged') {
	return item.output([withUsefulFirst({ ...link, action })]);
}

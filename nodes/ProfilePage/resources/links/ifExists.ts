import type { IDataObject } from 'n8n-workflow';

import { choiceField, flagOption } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { ServiceRequest } from '../../service/request';
import { Failure, requestFailure } from '../../shared/failure';
import { asText, hasContent, isId, joined, trimmed, withoutEntities } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import type { Address } from './addresses';
import type { Absent, Existing, KnownLinks } from './knownLinks';
import { warnOfEntities } from './linkFields';
import { linkOutput } from './linkOutput';
import { createRequest, editRequest, MAX_LISTED, type NewLink, readCreated } from './linkRequests';

export const ifExistsField = choiceField('If Link Exists', 'ifExists', {
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
	description: `What to do if there is a link with the same URL. A slash at its end, a fragment, and every parameter count, unless Match URLs Loosely is on. Only the ${MAX_LISTED} newest public links can be found, and those that this node has scheduled.`,
});

export const looseUrls = flagOption(
	'Match URLs Loosely',
	'looseUrls',
	'Whether If Link Exists also finds a link whose URL differs only by http and https, a slash at the end of the path, a fragment, or tracking parameters, such as utm_source',
);

const LIST_FULL = `The service lists only its ${MAX_LISTED} newest public links. An older link with the same URL was not found, so there may be two now.`;
const NOT_REMEMBERED =
	'n8n cannot remember that the link is scheduled, so each run creates it again until it is public. Save the workflow.';
const SCHEDULED = 'A link with the same URL is scheduled already.';
const MAYBE_SCHEDULED = 'it is unknown whether another run has scheduled it';
const OTHER_TIME = 'It was scheduled for another time, which was not changed.';
const CREATE_ANYWAY = 'To create it anyway, such as after it was deleted, set If Link Exists to Create Another.';
const SEVERAL = 'Several links have the same URL. Only the newest was updated.';
const NOT_EDITABLE =
	'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';
const PUBLIC_ALREADY = 'Public From has passed, so the link is public at once. Check the date.';

/** Plans the creation of a link, unless it exists. Throws Failure if a field for that is invalid. */
export function planCreation(item: Item, newLink: NewLink, known: KnownLinks): Call {
	const mode = ifExistsField.read(item);
	const compared = looseUrls.read(item) ? 'loose' : 'exact';
	const request = createRequest(newLink);
	const perform = async () => {
		const creation = { item, newLink, request, known };
		return await (mode === 'create' ? create(creation) : createUnlessExists(creation, mode, compared));
	};
	const repeat = mode === 'create' ? 'ifNotApplied' : 'afterLooking';
	// One key for all, so that links keep their order, and none is created between a look and the creation after it.
	return { purpose: { ...request, repeat }, perform, key: 'links' };
}

interface Creation {
	readonly item: Item;
	readonly newLink: NewLink;
	readonly request: ServiceRequest;
	readonly known: KnownLinks;
}

async function createUnlessExists(
	creation: Creation,
	mode: 'skip' | 'update',
	compared: keyof Address,
): Promise<CallResult> {
	const { item, newLink, known } = creation;
	const found = await known.lookUp(newLink, compared);
	switch (found.state) {
		case 'absent':
			return await createAbsent(creation, found);
		case 'exists':
			if (mode === 'update') return await update(creation, found);
			return { items: linkOutput(item, 'skipped', found.fields) };
		case 'scheduled':
			return skipScheduled(creation, SCHEDULED, CREATE_ANYWAY);
		case 'scheduled for another time':
			return skipScheduled(creation, SCHEDULED, OTHER_TIME, CREATE_ANYWAY);
		case 'unknown':
			throw requestFailure(MAYBE_SCHEDULED, `Look at your profile. ${CREATE_ANYWAY}`, { outcome: 'not applied' });
	}
}

/** Of a link that an earlier run has scheduled, only the address is known. The output is the same if this one has. */
function skipScheduled({ item, newLink: { title, link } }: Creation, ...hints: string[]): CallResult {
	return { items: linkOutput(item, 'skipped', { title, link }), warnings: [joined(' ', ...hints)] };
}

async function createAbsent(creation: Creation, { isListFull, schedule, isRemembered }: Absent): Promise<CallResult> {
	try {
		const result = await create(creation);
		await schedule?.confirm();
		const warnings = [...(isListFull ? [LIST_FULL] : []), ...(isRemembered === false ? [NOT_REMEMBERED] : [])];
		return { ...result, warnings: [...warnings, ...(result.warnings ?? [])] };
	} catch (error) {
		if (error instanceof Failure && error.data.outcome === 'not applied') await schedule?.forget();
		throw error as Error;
	}
}

async function create({ item, newLink, request, known }: Creation): Promise<CallResult> {
	const { title, schedule_from, schedule_to } = newLink;
	const created = await known.create(request, newLink, (envelope) => readConfirmed(envelope, newLink));
	const isPublicAlready = schedule_from !== undefined && Date.parse(schedule_from) <= Date.now();
	return {
		items: linkOutput(item, 'created', { ...created, schedule_from, schedule_to }),
		warnings: [...(isPublicAlready ? [PUBLIC_ALREADY] : []), ...warnOfEntities(title)],
	};
}

/** Reads a new link. A response with errors and without its ID confirms none, whatever its status says. Throws Failure. */
function readConfirmed(envelope: IDataObject, newLink: NewLink): IDataObject {
	const created = readCreated(envelope, newLink);
	const hasErrors = hasContent(envelope.errors) || hasContent(envelope.error);
	if (hasErrors && created.link_id === '') throw requestFailure('the response contains errors and no ID');
	return created;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update(
	creation: Creation,
	{ fields: existing, isTitleUncertain, hasOthers }: Existing,
): Promise<CallResult> {
	const { item, newLink, known } = creation;
	const { title, group_id, image, schedule_from: from, schedule_to: to } = newLink;
	const hasFixedFields = (image ?? from ?? to) !== undefined;
	const warnings = [...(hasOthers ? [SEVERAL] : []), ...(hasFixedFields ? [NOT_EDITABLE] : [])];
	const isSameTitle = withoutEntities(trimmed(asText(existing.title))) === withoutEntities(title);
	if (isSameTitle && !isTitleUncertain && group_id === undefined) {
		return { items: linkOutput(item, 'unchanged', existing), warnings };
	}
	const id = readLinkId(existing);
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const fields = { title, group_id };
	await known.change(editRequest(id, fields), id, fields);
	const items = linkOutput(item, 'updated', { ...existing, title });
	return { items, warnings: [...warnings, ...warnOfEntities(title)] };
}

function readLinkId({ link_id: id }: IDataObject): string {
	if (isId(id)) return asText(id);
	const advice = 'Update that link at the service, or set If Link Exists to Skip.';
	const problem = 'a link with the same URL exists, but its ID is unknown';
	throw requestFailure(problem, advice, { outcome: 'not applied' });
}

import type { IDataObject } from 'n8n-workflow';

import { formatMoment, momentOf } from '../../fields/dateTime';
import { booleanField, choiceField } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { Failure, requestFailure } from '../../shared/failure';
import { asText, hasContent, isId, joined, quotable, trimmed } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import { withoutEntities } from './addresses';
import { type KnownLinks, knownLinksOf } from './knownLinks';
import { linkOutput } from './linkOutput';
import { createRequest, editRequest, MAX_LISTED, type NewLink, readCreated } from './linkRequests';
import { scheduleOf } from './schedules';

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
	description:
		'What to do if there is a link with the same URL. A slash at its end, a fragment, and every parameter count, unless Match URLs Loosely is on. Only the 50 newest public links can be found, and those that this node has scheduled.',
});

export const looseUrls = booleanField('Match URLs Loosely', 'looseUrls', {
	default: false,
	description:
		'Whether If Link Exists also finds a link whose URL differs only by http and https, a slash at the end of the path, a fragment, or tracking parameters, such as utm_source',
	displayOptions: { show: { ifExists: ['skip', 'update'] } },
});

const LIST_FULL = `The service lists only its ${MAX_LISTED} newest public links. An older link with the same URL was not found, so there may be two now.`;
const NOT_REMEMBERED =
	'n8n cannot remember that the link is scheduled, so each run creates it again until it is public. Save the workflow.';
const SCHEDULED = 'In an earlier run, this node has scheduled a link with the same URL.';
const CREATE_ANYWAY = 'To create it anyway, such as after it was deleted, set If Link Exists to Create Another.';
const OTHER_TIME = 'It was scheduled for another time, which was not changed.';
const SEVERAL = 'Several links have the same URL. Only the newest was updated.';
const NOT_EDITABLE =
	'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';

/** Plans the creation of a link, unless it exists. Throws Failure if a field for that is invalid. */
export function planCreation(item: Item, newLink: NewLink): Call {
	const mode = ifExistsField.read(item);
	const compared = looseUrls.read(item) ? 'loose' : 'exact';
	const request = createRequest(newLink);
	const perform = async (client: Client) => {
		const known = knownLinksOf(client);
		const creation = { item, newLink, request, client, known };
		return await (mode === 'create' ? create(creation) : createUnlessExists(creation, mode, compared));
	};
	const looksFirst = mode !== 'create';
	// One key for all, so that links keep their order, and none is created between a look and the creation after it.
	const key = 'links';
	return { purpose: { ...request, repeat: looksFirst ? 'afterLooking' : 'ifNotApplied' }, perform, key };
}

interface Creation {
	readonly item: Item;
	readonly newLink: NewLink;
	readonly request: ServiceRequest;
	readonly known: KnownLinks;
	readonly client: Client;
}

async function createUnlessExists(
	creation: Creation,
	mode: 'skip' | 'update',
	compared: 'exact' | 'loose',
): Promise<CallResult> {
	const { item, newLink, known, client } = creation;
	const { matches, address, isListed, isListFull } = await known.find(client, newLink.link, compared);
	const [newest, ...others] = matches;
	const schedule = scheduleOf(item.context, [client.account.id, address], newLink.schedule_from);
	if (isListed && !client.isPreview) await schedule.forget();
	if (newest && mode === 'skip') return { items: linkOutput(item, client, 'skipped', newest) };
	if (newest) return await update(creation, newest, others);
	const result = await (client.isPreview ? create(creation) : createUnlessScheduled(creation, schedule));
	return withWarnings(isListFull ? [LIST_FULL] : [], result);
}

/** Creates a link that is not listed, unless an earlier run has scheduled it, or may have. */
async function createUnlessScheduled(creation: Creation, schedule: ReturnType<typeof scheduleOf>): Promise<CallResult> {
	const { item, client, newLink } = creation;
	const earlier = schedule.isPending && (await schedule.begin());
	if (earlier === 'unknown') {
		const problem = 'it is unknown whether another run has scheduled it';
		throw requestFailure(problem, `Look at your profile. ${CREATE_ANYWAY}`, { outcome: 'not applied' });
	}
	if (earlier === 'scheduled' || earlier === 'scheduled for another time') {
		const { title, link } = newLink;
		const hint = joined(' ', SCHEDULED, earlier !== 'scheduled' && OTHER_TIME, CREATE_ANYWAY);
		return { items: linkOutput(item, client, 'skipped', { title, link }), warnings: [hint] };
	}
	try {
		const result = await create(creation);
		await (earlier ? schedule.confirm() : schedule.forget());
		return withWarnings(earlier === 'not remembered' ? [NOT_REMEMBERED] : [], result);
	} catch (error) {
		if (earlier && error instanceof Failure && error.data.outcome === 'not applied') await schedule.forget();
		throw error as Error;
	}
}

function withWarnings(warnings: string[], result: CallResult): CallResult {
	return { ...result, warnings: [...warnings, ...(result.warnings ?? [])] };
}

async function create({ item, newLink, request, known, client }: Creation): Promise<CallResult> {
	const { title, link, schedule_from, schedule_to } = newLink;
	const created = await known.change(
		async () => await client.request(request, (envelope) => readConfirmed(envelope, newLink)),
		// The service may return another address. Later items are compared with the address that was sent.
		(fields) => known.noteCreated({ ...fields, title, link }),
		() => known.noteMaybeCreated(),
	);
	const items = linkOutput(item, client, 'created', { ...created, schedule_from, schedule_to });
	return { items, notes: describeSchedule(item, newLink) };
}

/** Reads a new link. A response with errors and without its ID confirms none, whatever its status says. Throws Failure. */
function readConfirmed(envelope: IDataObject, newLink: NewLink): IDataObject {
	const created = readCreated(envelope, newLink);
	const hasErrors = hasContent(envelope.errors) || hasContent(envelope.error);
	if (hasErrors && created.link_id === '') throw requestFailure('the response contains errors and no ID');
	return created;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update(creation: Creation, existing: IDataObject, others: IDataObject[]): Promise<CallResult> {
	const { item, newLink, known, client } = creation;
	const { title, group_id, image, schedule_from: from, schedule_to: to } = newLink;
	const hasFixedFields = (image ?? from ?? to) !== undefined;
	const warnings = [...(others.length > 0 ? [SEVERAL] : []), ...(hasFixedFields ? [NOT_EDITABLE] : [])];
	if (withoutEntities(trimmed(asText(existing.title))) === withoutEntities(title) && group_id === undefined) {
		return { items: linkOutput(item, client, 'unchanged', existing), warnings };
	}
	const id = readLinkId(existing);
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const fields = { title, group_id };
	await known.send(client, editRequest(id, fields), () => known.noteUpdated(id, fields));
	return { items: linkOutput(item, client, 'updated', { ...existing, title }), warnings };
}

function readLinkId({ link_id: id }: IDataObject): string {
	if (isId(id)) return asText(id);
	const advice = 'Update that link at the service, or set If Link Exists to Skip.';
	const problem = 'a link with the same URL exists, but its ID is unknown';
	throw requestFailure(problem, advice, { outcome: 'not applied' });
}

/** Says when a link becomes public: until then, the page does not show it. If that has passed, the date may be wrong. */
function describeSchedule(item: Item, newLink: NewLink): string[] {
	const { title, schedule_from: from, schedule_to: to } = newLink;
	if (from === undefined) return [];
	const timeZone = item.context.getTimezone();
	const format = (time: string) => formatMoment(momentOf(Date.parse(time), timeZone, 'Schedule'));
	const end = to === undefined ? '' : `, until ${format(to)}`;
	const isPast = Date.parse(from) <= Date.now();
	const start = isPast ? `at once, since ${format(from)} has passed` : `from ${format(from)}`;
	return [`Public ${start}${end}: the link "${quotable(title)}".`];
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../item/item';
import { isExact } from '../../item/readers';
import type { ServiceClient } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { readPayload } from '../../service/response';
import { inWords } from '../../service/words';
import { ExecutionCanceled, type History, ServiceError } from '../../shared/errors';
import { asObject, asText, uncapitalize } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import { flagField } from '../options';
import { ExistingLinks, linksOf } from './existingLinks';
import { createRequest, editRequest, MAX_LISTED, type NewLink, toLinkId, withUsefulFirst } from './linkRequests';

export const ifExistsField: INodeProperties = {
	displayName: 'If Link Exists',
	name: 'ifExists',
	type: 'options',
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
};

export const looseUrls = flagField({
	displayName: 'Match URLs Loosely',
	name: 'looseUrls',
	description:
		'Whether If Link Exists also finds a link whose URL differs only by a slash at the end of the path, a fragment, or tracking parameters, such as utm_source',
});

const MODES = { create: 'create', skip: 'skip', update: 'update' } as const;

const LIST_FULL = `The service lists only its ${MAX_LISTED} newest public links. An older link with the same URL was not found, so there may be two now.`;
const SCHEDULED =
	'A scheduled link cannot be found until it is public. If the workflow runs again before that, it creates the link again.';
const SEVERAL = 'Several links have the same URL. Only the newest was updated.';
const NOT_EDITABLE =
	'The service cannot change the image or the schedule of an existing link. To change them, delete the link, and create it again.';

/** The creation of a link in one try of the node. */
interface Creation extends Pick<Call, 'request' | 'read'> {
	readonly item: Item;
	readonly newLink: NewLink;
	readonly existing: ExistingLinks;
	readonly client: ServiceClient;
	/** What has become of an update in earlier tries. A creation that may have been applied is not tried again. */
	readonly history?: History;
}

/** Plans the creation of a link, unless it exists. Throws ValidationError if a field for that is invalid. */
export function planCreation(item: Item, newLink: NewLink): Omit<Call, 'itemIndexes'> {
	const mode = item.choice(ifExistsField, MODES);
	const isLoose = item.isOn(looseUrls);
	const request = createRequest(newLink);
	const read = (envelope: IDataObject) => readCreated(envelope, item, newLink);
	const perform = async (client: ServiceClient, history?: History) => {
		const byApp = linksOf(item.context);
		const existing = byApp.get(client.identity) ?? new ExistingLinks(item.context.getExecutionCancelSignal());
		byApp.set(client.identity, existing);
		const creation = { item, newLink, request, read, existing, client, history };
		return mode === 'create' ? await create(creation) : await createUnlessExists(creation, mode, isLoose);
	};
	return { request, read, perform, isRepeatable: mode !== 'create' && !isScheduled(newLink) };
}

function isScheduled({ schedule_from: from }: NewLink): boolean {
	return from !== undefined && Date.parse(from) > Date.now();
}

/**
 * Returns what the service says of a new link. Services name its ID in different ways; their own page for it is not the
 * address that the link leads to.
 */
function readCreated(envelope: IDataObject, item: Item, { title, link }: NewLink): CallResult {
	const { id, lnk_id: otherId, url, ...others } = { ...asObject(envelope.info), ...readPayload(envelope) };
	const linkId = toLinkId(id ?? otherId ?? others.link_id);
	const created = { title, link, ...others, ...(url !== undefined && { service_url: url }), link_id: linkId };
	return { items: item.output([withAction(created, 'created')]), isConfirmed: Number(linkId) !== 0 };
}

async function createUnlessExists(creation: Creation, mode: 'skip' | 'update', isLoose: boolean): Promise<CallResult> {
	const { item, newLink, request, existing, client } = creation;
	const found = await existing.find(client, newLink.link, isLoose).catch((error: unknown) => {
		throw notCreated(request, error);
	});
	const [newest, ...others] = found.matches;
	if (!newest) {
		if (found.isUncertain) {
			const problem = 'there may be a scheduled link with the same URL already';
			const advice = 'Look at your profile, and create the link only if it is missing.';
			throw notCreated(request, new ServiceError(problem, advice));
		}
		const { items } = await create(creation);
		const warnings = [found.isListFull && LIST_FULL, isScheduled(newLink) && SCHEDULED];
		return { items, warnings: warnings.filter((warning) => warning !== false) };
	}
	if (mode === 'skip') return { items: item.output([withAction(newest, 'skipped')]) };
	const link = await update(creation, newest);
	const hasFixedFields = (newLink.image ?? newLink.schedule_from ?? newLink.schedule_to) !== undefined;
	const warnings = [others.length > 0 && SEVERAL, hasFixedFields && NOT_EDITABLE];
	return { items: item.output([link]), warnings: warnings.filter((warning) => warning !== false) };
}

async function create({ newLink, request, read, existing, client }: Creation): Promise<CallResult> {
	const { title, link } = newLink;
	const scheduled = isScheduled(newLink) ? link : undefined;
	const result = await existing.afterChange(client.send(request, read), scheduled);
	existing.add({ ...result.items[0]?.json, title, link }, scheduled === undefined);
	return result;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update({ newLink, request, existing, client, history }: Creation, listed: IDataObject) {
	const { title, group_id } = newLink;
	const { link_id: id } = listed;
	if (asText(listed.title) === title && group_id === undefined) return withAction(listed, 'unchanged');
	if (asText(id) === '' || (typeof id === 'number' && !isExact(id))) {
		const problem = 'a link with the same URL exists, but its ID is unknown';
		const advice = 'Update that link at the service, or set If Link Exists to Skip.';
		throw notCreated(request, new ServiceError(problem, advice));
	}
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const change = editRequest(asText(id), { title, group_id });
	await existing.afterChange(client.send(change, () => ({}), history));
	listed.title = title;
	return withAction(listed, 'updated');
}

/** Returns a link with what happened to it. */
function withAction(link: IDataObject, action: 'created' | 'updated' | 'skipped' | 'unchanged'): IDataObject {
	return withUsefulFirst({ ...link, action });
}

/** Returns a failure in the words of the creation, which was not sent because of it. */
function notCreated(request: ServiceRequest, error: unknown): unknown {
	if (error instanceof ExecutionCanceled) return new ExecutionCanceled();
	if (!(error instanceof ServiceError)) return error;
	const details = { ...error.details, history: 'not sent', isSentence: false } as const;
	return inWords(request, new ServiceError(uncapitalize(error.message), error.advice, details));
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../item/item';
import { isExact } from '../../item/readers';
import type { ServiceClient } from '../../service/client';
import { inWords } from '../../service/words';
import { ExecutionCanceled, type FailureDetails, type History, type Problem, ServiceError } from '../../shared/errors';
import { asText, uncapitalize } from '../../shared/values';
import type { Call, CallResult } from '../operation';
import { flagField } from '../options';
import { ExistingLinks, linksOf } from './existingLinks';
import { editRequest, type LinkForm, MAX_LISTED } from './linkRequests';

export const ifExistsField: INodeProperties = {
	displayName: 'If Link Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{
			name: 'Create Another',
			value: 'create',
			description: 'Create the link without looking for others',
		},
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

const UNCERTAIN = {
	problem: 'an item before it may have created a scheduled link with the same URL',
	advice: 'Look at your profile, and create the link only if it is missing.',
};
const NO_ID = {
	problem: 'a link with the same URL exists, but its ID is unknown',
	advice: 'Update that link at the service, or set If Link Exists to Skip.',
};

/** The fields of a link to create. An empty group is No Group. */
export type NewLink = LinkForm & { readonly title: string; readonly link: string };

/** A link to create, by which request, for which input item. */
interface Creation extends Pick<Call, 'request' | 'read'> {
	readonly newLink: NewLink;
	readonly item: Item;
}

/** A creation that is performed. */
interface Performed extends Creation {
	readonly existing: ExistingLinks;
	readonly client: ServiceClient;
	/** Whether addresses are compared loosely. */
	readonly isLoose: boolean;
	/** What has become of it in earlier tries. */
	readonly history?: History;
}

/** Plans the creation of a link, unless it exists. Throws ValidationError if the field is invalid. */
export function planCreation(creation: Creation): Pick<Call, 'perform' | 'isRepeatable'> {
	const { item, newLink } = creation;
	const mode = item.choice(ifExistsField, MODES);
	const isLoose = item.isOn(looseUrls);
	const perform = async (client: ServiceClient, history?: History) => {
		const byApp = linksOf(item.context);
		const existing = byApp.get(client.binding) ?? new ExistingLinks();
		byApp.set(client.binding, existing);
		const performed = { ...creation, isLoose, existing, client, history };
		return mode === 'create' ? await create(performed) : await createUnlessExists(performed, mode);
	};
	return { perform, isRepeatable: mode !== 'create' && !isScheduled(newLink) };
}

function isScheduled({ schedule_from: from }: NewLink): boolean {
	return from !== undefined && Date.parse(from) > Date.now();
}

async function createUnlessExists(performed: Performed, mode: 'skip' | 'update'): Promise<CallResult> {
	const { newLink, item, existing, client } = performed;
	const { matches, isListFull, isUncertain } = await existing
		.find(client, newLink.link, performed.isLoose)
		.catch((error: unknown) => {
			throw toNotCreated(performed, error);
		});
	const [newest, ...others] = matches;
	if (!newest) {
		if (isUncertain) throw notCreated(performed, UNCERTAIN);
		const { items } = await create(performed);
		const warnings = [isListFull && LIST_FULL, isScheduled(newLink) && SCHEDULED];
		return { items, warnings: warnings.filter((warning) => warning !== false) };
	}
	if (mode === 'skip') return { items: item.output([withAction(newest, 'skipped')]) };
	const link = await update(performed, newest);
	const fixed = [newLink.image, newLink.schedule_from, newLink.schedule_to];
	const hasFixedFields = fixed.some((value) => value !== undefined);
	const warnings = [others.length > 0 && SEVERAL, hasFixedFields && NOT_EDITABLE];
	return { items: item.output([link]), warnings: warnings.filter((warning) => warning !== false) };
}

async function create(performed: Performed): Promise<CallResult> {
	const { request, read, newLink, existing } = performed;
	const scheduled = isScheduled(newLink) ? newLink.link : undefined;
	const result = await existing.change(performed, request, read, scheduled);
	const { title, link } = newLink;
	const created: IDataObject = { ...result.items[0]?.json, title, link };
	// A public link without ID is in the next list, with its ID.
	if (asText(created.link_id) !== '' || scheduled !== undefined) existing.add(created, scheduled === undefined);
	else existing.expire();
	return result;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update(performed: Performed, listed: IDataObject): Promise<IDataObject> {
	const { newLink, existing } = performed;
	const { title, group_id: groupId } = newLink;
	const { link_id: id } = listed;
	const isSame = asText(listed.title) === title && groupId === undefined;
	if (isSame) return withAction(listed, 'unchanged');
	const isUsable = asText(id) !== '' && (typeof id !== 'number' || isExact(id));
	if (!isUsable) throw notCreated(performed, NO_ID);
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const changes = { title, ...(groupId !== undefined && { group_id: groupId }) };
	await existing.change(performed, editRequest(asText(id), changes), () => ({}));
	listed.title = title;
	return withAction(listed, 'updated');
}

/** Returns a link with what happened to it. What workflows use most comes first: the editor shows few columns. */
export function withAction(link: IDataObject, action: 'created' | 'updated' | 'skipped' | 'unchanged'): IDataObject {
	const { link_id, title, link: address } = link;
	return Object.assign({ link_id, action, title, link: address }, link, { action });
}

/** The list could not be read, so the link was not created. */
function toNotCreated(creation: Creation, error: unknown): unknown {
	if (error instanceof ExecutionCanceled) return new ExecutionCanceled();
	if (!(error instanceof ServiceError)) return error;
	const { message, advice, details } = error;
	return notCreated(creation, { problem: uncapitalize(message), advice }, details);
}

function notCreated({ request }: Creation, { problem, advice }: Problem, details?: FailureDetails): ServiceError {
	const unsent = { history: 'not sent', isSentence: false } as const;
	return inWords(request, new ServiceError(problem, advice, { ...details, ...unsent }));
}

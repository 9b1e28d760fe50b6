import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterReader } from '../../fields/parameterReader';
import { isExact, readChoice } from '../../fields/readers';
import { type Call, type CallResult, pairWith, type Service } from '../../operation';
import { type FailureDetails, type Problem, ServiceError } from '../../shared/errors';
import { runState } from '../../shared/runState';
import { asText, uncapitalize } from '../../shared/values';
import { ExecutionCanceled } from '../../shared/waiting';
import { toServiceError } from '../../transport/serviceRequest';
import { ExistingLinks } from './existingLinks';
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
		{
			name: 'Skip',
			value: 'skip',
			description: 'Leave the existing link as it is',
		},
		{
			name: 'Update',
			value: 'update',
			description: 'Update the title of the existing link, and its group if one is set',
		},
	],
	default: 'create',
	description:
		'What to do if there is a link with the same URL. Only the 50 newest public links can be found: no older ones, and none that are scheduled.',
};

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
	readonly itemIndex: number;
}

/** Returns a function that plans the creation of a link, unless it exists. It throws ValidationError if the field is invalid. */
export function creationPlanner(
	context: IExecuteFunctions,
): (creation: Creation) => Pick<Call, 'perform' | 'isRepeatable'> {
	const readMode = parameterReader(context, ifExistsField);
	const accounts = accountsOf(context);
	for (const existing of accounts.values()) existing.expire();
	return (creation) => {
		const mode = readChoice(readMode(creation.itemIndex), ifExistsField.displayName, MODES);
		const perform = async (service: Service) => {
			const existing = accounts.get(service.account) ?? new ExistingLinks();
			accounts.set(service.account, existing);
			return mode === 'create'
				? await create(service, existing, creation)
				: await createUnlessExists(service, existing, creation, mode);
		};
		const isRepeatable = mode !== 'create' && !isScheduled(creation.newLink);
		return { perform, isRepeatable };
	};
}

/** The links by account. With Retry On Fail, they include what earlier tries created. */
const accountsOf = runState(() => new Map<string, ExistingLinks>());

function isScheduled({ schedule_from: from }: NewLink): boolean {
	return from !== undefined && Date.parse(from) > Date.now();
}

async function createUnlessExists(
	service: Service,
	existing: ExistingLinks,
	creation: Creation,
	mode: 'skip' | 'update',
): Promise<CallResult> {
	const { newLink, itemIndex } = creation;
	const found = existing.find(service, newLink.link);
	const { matches, isListFull, isUncertain } = await found.catch((error: unknown) => {
		throw toNotCreated(creation, error);
	});
	const [newest, ...others] = matches;
	if (!newest) {
		if (isUncertain) throw notCreated(creation, UNCERTAIN);
		const { items } = await create(service, existing, creation);
		const warnings = [isListFull && LIST_FULL, isScheduled(newLink) && SCHEDULED];
		return { items, warnings: warnings.filter((warning) => warning !== false) };
	}
	const toItems = (link: IDataObject) => pairWith(itemIndex, [link]);
	if (mode === 'skip') return { items: toItems(withAction(newest, 'skipped')) };
	const link = await update(service, existing, newest, creation);
	const fixed = [newLink.image, newLink.schedule_from, newLink.schedule_to];
	const hasFixedFields = fixed.some((value) => value !== undefined);
	const warnings = [others.length > 0 && SEVERAL, hasFixedFields && NOT_EDITABLE];
	return { items: toItems(link), warnings: warnings.filter((warning) => warning !== false) };
}

async function create(
	service: Service,
	existing: ExistingLinks,
	{ request, read, newLink }: Creation,
): Promise<CallResult> {
	const scheduled = isScheduled(newLink) ? newLink.link : undefined;
	const result = await existing.change(service, request, read, scheduled);
	const created: IDataObject = {
		...result.items[0]?.json,
		title: newLink.title,
		link: newLink.link,
	};
	// A public link without ID is in the next list, with its ID.
	if (asText(created.link_id) !== '' || scheduled !== undefined) existing.add(created);
	else existing.expire();
	return result;
}

/** Updates a link, unless its title is the same and no group is given. Lists do not contain the group. */
async function update(
	service: Service,
	existing: ExistingLinks,
	listed: IDataObject,
	creation: Creation,
): Promise<IDataObject> {
	const { title, group_id: groupId } = creation.newLink;
	const { link_id: id } = listed;
	const isSame = asText(listed.title) === title && groupId === undefined;
	if (isSame) return withAction(listed, 'unchanged');
	const isUsable = asText(id) !== '' && (typeof id !== 'number' || isExact(id));
	if (!isUsable) throw notCreated(creation, NO_ID);
	// The title is always sent: without it, a service may clear it (docs/api.md, section 4.5).
	const changes = { title, ...(groupId !== undefined && { group_id: groupId }) };
	await existing.change(service, editRequest(asText(id), changes), () => ({}));
	listed.title = title;
	return withAction(listed, 'updated');
}

/** Returns a link with what happened to it. What workflows use most comes first: the editor shows few columns. */
export function withAction(
	link: IDataObject,
	action: 'created' | 'updated' | 'skipped' | 'unchanged',
): IDataObject {
	const { link_id, title, link: address } = link;
	return Object.assign({ link_id, action, title, link: address }, link, { action });
}

/** The list could not be read, so the link was not created. */
function toNotCreated(creation: Creation, error: unknown): unknown {
	if (error instanceof ExecutionCanceled) return new ExecutionCanceled(true);
	if (!(error instanceof ServiceError)) return error;
	const { message, advice, details } = error;
	return notCreated(creation, { problem: uncapitalize(message), advice }, details);
}

function notCreated(
	{ request }: Creation,
	problem: Problem,
	details?: FailureDetails,
): ServiceError {
	return toServiceError(request, problem, { ...details, isNotApplied: true });
}

import type { Icon, INodeProperties } from 'n8n-workflow';

import { INVISIBLE } from '../nodes/ProfilePage/shared/values';

export const icon: Icon = {
	light: 'file:../nodes/ProfilePage/profilePage.svg',
	dark: 'file:../nodes/ProfilePage/profilePage.dark.svg',
};

/** Removes whitespace and invisible characters from the ends of a text, in an expression. */
export const TRIMMED = `.replace(/^[\\s${INVISIBLE}]+|[\\s${INVISIBLE}]+$/gu, "")`;

/** Returns a field for a text that is required. */
export function requiredField(displayName: string, name: string, others: Partial<INodeProperties>): INodeProperties {
	return { displayName, name, type: 'string', required: true, default: '', ...others };
}

export function hiddenField(displayName: string, name: string, others: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName, name, type: 'hidden', default: '', ...others };
}

/** Returns fields that say where a kind of app is created, and for its client ID and its secret. */
export function appFields(kind: 'private' | 'public', creation: string): INodeProperties[] {
	return [
		{ displayName: creation, name: 'appNotice', type: 'notice', default: '' },
		requiredField('Client ID', 'clientId', { description: `The ID that the service gave your ${kind} app` }),
		requiredField('Client Secret', 'clientSecret', {
			typeOptions: { password: true },
			description: `The secret that the service showed when you created your ${kind} app`,
		}),
	];
}

/** The placeholders are likely, but no path of these lists is public. */
const listPath = { type: 'string', default: '' } as const;

const ONLY_AN_EXAMPLE =
	'What the empty field shows is only an example: the documentation of the service shows the path to those who sign in.';

/**
 * Optional fields for the paths of two lists that the API documentation of a service shows: with them, users
 * choose pages and blocks by name. The type for public apps inherits them.
 */
export const listPathFields: INodeProperties[] = [
	{
		displayName:
			'Optional, to choose pages and blocks by name: look for "List all pages" and "List blocks in a page" in the API documentation of your service, and enter their paths',
		name: 'listPathsNotice',
		type: 'notice',
		default: '',
	},
	{
		...listPath,
		displayName: 'Pages Path',
		name: 'pagesPath',
		placeholder: 'e.g. /oauth/v1/page/list',
		description: `The path of "List all pages". ${ONLY_AN_EXAMPLE}`,
	},
	{
		...listPath,
		displayName: 'Blocks Path',
		name: 'blocksPath',
		placeholder: 'e.g. /oauth/v1/page/blocks/list?page_id={page_id}',
		description: `The path of "List blocks in a page". {page_id} in it becomes the ID of the page. Without that, page_id is added to the query. ${ONLY_AN_EXAMPLE}`,
	},
];

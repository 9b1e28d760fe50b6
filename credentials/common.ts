import type { Icon, INodeProperties } from 'n8n-workflow';

export const icon: Icon = {
	light: 'file:../nodes/ProfilePage/profilePage.svg',
	dark: 'file:../nodes/ProfilePage/profilePage.dark.svg',
};

export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://lnk.bio',
	description: 'The address of the profile-page service, starting with https://',
};

/** Returns fields that say where a kind of app is created, and for its client ID and its secret. */
export function appFields(kind: 'private' | 'public', creation: string): INodeProperties[] {
	return [
		{ displayName: creation, name: 'appNotice', type: 'notice', default: '' },
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: `The ID that the service gave your ${kind} app`,
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: `The secret that the service showed when you created your ${kind} app`,
		},
	];
}

export function hiddenField(
	displayName: string,
	name: string,
	value = '',
	typeOptions?: INodeProperties['typeOptions'],
): INodeProperties {
	return { displayName, name, type: 'hidden', default: value, ...(typeOptions && { typeOptions }) };
}

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
	placeholder: 'e.g. https://example.com',
	description: 'The address of the profile-page service, starting with https://',
};

export function hiddenField(
	displayName: string,
	name: string,
	value = '',
	typeOptions?: INodeProperties['typeOptions'],
): INodeProperties {
	return { displayName, name, type: 'hidden', default: value, ...(typeOptions && { typeOptions }) };
}

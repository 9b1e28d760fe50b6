import type { Icon, INodeProperties } from 'n8n-workflow';

export const icon: Icon = {
	light: 'file:../nodes/ProfilePage/profilePage.svg',
	dark: 'file:../nodes/ProfilePage/profilePage.dark.svg',
};

/** Returns a field for a text that is required. */
export function textField(displayName: string, name: string, others: Partial<INodeProperties>): INodeProperties {
	return { displayName, name, type: 'string', required: true, default: '', ...others };
}

export function hiddenField(displayName: string, name: string, others: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName, name, type: 'hidden', default: '', ...others };
}

/** Returns fields that say where a kind of app is created, and for its client ID and its secret. */
export function appFields(kind: 'private' | 'public', creation: string): INodeProperties[] {
	return [
		{ displayName: creation, name: 'appNotice', type: 'notice', default: '' },
		textField('Client ID', 'clientId', { description: `The ID that the service gave your ${kind} app` }),
		textField('Client Secret', 'clientSecret', {
			typeOptions: { password: true },
			description: `The secret that the service showed when you created your ${kind} app`,
		}),
	];
}

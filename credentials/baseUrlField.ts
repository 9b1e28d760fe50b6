import type { INodeProperties } from 'n8n-workflow';

/** The field in which each credential holds the address of the service. */
export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'The address of the profile-page service, beginning with https://',
};

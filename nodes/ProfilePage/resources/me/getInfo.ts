import type { IDataObject } from 'n8n-workflow';

import { readPayload } from '../../service/payload';
import type { ServiceRequest } from '../../service/request';
import { type Operation, sending } from '../operation';

const infoRequest: ServiceRequest<IDataObject> = {
	method: 'GET',
	path: '/oauth/v1/me',
	repeat: 'always',
	subject: 'the profile info',
	effect: ['was', 'read'],
	read: readPayload,
	advice: 'Check that the app has access to the account.',
};

/** Retrieve basic profile info (docs/api.md, section 4.1). The contract does not show the response. */
export const getInfo: Operation = {
	shown: {
		name: 'Get Info',
		value: 'getInfo',
		description: 'Get basic profile info, such as the name and address',
		action: 'Get profile info',
	},
	fields: [],
	plan: ([item]) => sending(infoRequest, (info) => ({ items: item.output([info]) })),
};

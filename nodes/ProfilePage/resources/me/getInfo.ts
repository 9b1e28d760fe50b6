import { type Operation, pairWith, planEachItem } from '../../operation';
import { readPayload } from '../../transport/response';

/** Retrieve basic profile info (docs/api.md, section 4.1). The contract does not show the response. */
export const getInfo: Operation = {
	option: {
		name: 'Get Info',
		value: 'getInfo',
		description: 'Get basic profile info, such as the name and address',
		action: 'Get the profile info',
	},
	fields: [],
	plan: (context) =>
		planEachItem(context, (itemIndex) => ({
			request: {
				method: 'GET',
				path: '/oauth/v1/me',
				documentedBy: 'contract',
				idempotent: true,
				subject: 'The profile info',
				outcome: 'was read',
				advice: 'Check that the app has access to the account.',
			},
			read: (envelope) => ({ items: pairWith(itemIndex, [readPayload(envelope)]) }),
		})),
};

import { type Operation, pairWith, planEachItem } from '../../operation';
import { readPayload } from '../../transport/envelope';

/** Retrieve basic profile info (the contract, section 4.3, which does not show the answer). */
export const getInfo: Operation = {
	option: {
		name: 'Get Info',
		value: 'getInfo',
		description: 'Get the basic info of the profile, such as its name and address',
		action: 'Get the profile info',
	},
	fields: [],
	plan: (context) =>
		planEachItem(context, (itemIndex) => ({
			request: {
				method: 'GET',
				path: '/oauth/v1/me',
				documentedBy: 'contract',
				isIdempotent: true,
				failure: 'The profile info was not read',
				badRequestAdvice: 'Check that the app has access to the account.',
			},
			toItems: (envelope) => pairWith(itemIndex, [readPayload(envelope)]),
		})),
};

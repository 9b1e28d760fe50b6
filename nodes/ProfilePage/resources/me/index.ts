import type { Resource } from '../../operation';
import { getInfo } from './getInfo';

/** The account that the credential acts for. */
export const me: Resource = {
	option: { name: 'Me', value: 'me' },
	operations: [getInfo],
};

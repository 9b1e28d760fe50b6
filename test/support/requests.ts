import type { ServiceRequest } from '../../nodes/ProfilePage/service/request';
import type { Sandbox } from '../../sandbox/server';

/** The paths and queries of all requests that a sandbox has received, in order. */
export const requestedUrls = ({ recorder }: Sandbox): string[] => recorder.requests.map(({ url }) => url);

/** The Authorization headers of the API requests that a sandbox has received, in order. */
export const authorizations = ({ recorder }: Sandbox): Array<string | undefined> =>
	recorder.calls.map(({ headers }) => headers.authorization);

/** A request that reads something, for tests of single modules. */
export const getProfile: ServiceRequest = {
	method: 'GET',
	path: '/me',
	repeat: 'always',
	subject: 'the profile',
	effect: ['was', 'read'],
	advice: '',
	read: () => undefined,
};

import type { Call } from '../../nodes/ProfilePage/resources/operation';
import type { Client } from '../../nodes/ProfilePage/service/client';
import { STOPPED } from '../../nodes/ProfilePage/service/failure';
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
	idempotent: true,
	subject: 'the profile',
	effect: ['was', 'read'],
	advice: '',
};

/** Performs a call, and returns the request that it sends. */
export async function requestOf({ perform }: Pick<Call, 'perform'>): Promise<ServiceRequest> {
	const sent: ServiceRequest[] = [];
	const request = async (each: ServiceRequest) => await Promise.reject((sent.push(each), STOPPED));
	await perform({ request } as unknown as Client).catch(() => undefined);
	const [first] = sent;
	if (!first) throw new Error('Nothing was sent');
	return first;
}

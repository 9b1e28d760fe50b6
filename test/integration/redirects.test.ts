import type { INodeParameters } from 'n8n-workflow';

import { testCredential } from '../../runner';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const OTHER = 'https://www.example.com';
const CHECK = 'Check the Base URL in the credential.';

const redirect = (path: string, location: string, status = 301) =>
	harness.sandbox.faults.add({ path, fault: { status, headers: { location } } });

const signedIn = () => ({ credential: storedToken(harness.sandbox, { accessToken: 'stored-token' }) });

describe('A redirect', () => {
	test.each([
		['/oauth/token', 'No access token', () => ({})],
		['/oauth/v1/me', 'The profile info was not read', signedIn],
	])('of %s is quoted without what may be secret', async (path, what, options) => {
		redirect(path, `https://user:s3cret@www.example.com${path}?key=s3cret#top`);
		const { error } = await harness.runNode(GET_INFO, options());
		expect(error).toMatchObject({
			message: `${what}: the service responded with a redirect (301)`,
			description: `${CHECK} The service said: "${OTHER}${path}".`,
		});
		expect(JSON.stringify(error)).not.toContain('s3cret');
	});

	test.each<[INodeParameters, string, string]>([
		[
			{ resource: 'links', operation: 'getAll', filters: { groupId: '7' } },
			'/oauth/v1/lnk/list',
			`${CHECK} If it is right`,
		],
		[
			{ resource: 'api', operation: 'request', path: '/oauth/v1/a b?c=d' },
			'/oauth/v1/a%20b',
			'Check the Method and the Path',
		],
	])('of a request to a path that may be wrong says so: %j', async (parameters, path, advice) => {
		redirect(path, `${OTHER}${path}?c=d`, 308);
		const { error } = await harness.runNode(parameters, signedIn());
		expect(error?.message).toMatch(/: the service responded with a redirect, or has nothing at this path \(308\)$/);
		expect(error?.description).toMatch(advice);
		expect(error?.description).toMatch(new RegExp(` The service said: "${OTHER}${path}"\\.$`));
	});

	test('is quoted when the credential is tested', async () => {
		const store = harness.newStore();
		redirect('/token', `${OTHER}/oauth/token`);
		const { message } = await testCredential(
			harness.loaded,
			store,
			'profilePageApi',
			harness.addCredential(store),
			undefined,
		);
		expect(message).toBe(
			`No access token: the service responded with a redirect (301). ${CHECK} The service said: "${OTHER}/oauth/token".`,
		);
	});

	test('of a status that is none is not quoted', async () => {
		redirect('/me', OTHER, 400);
		const { error } = await harness.runNode(GET_INFO, signedIn());
		expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { testCredential } from '../../runner';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const OTHER = 'https://www.example.com';
const USE_IT = 'If that is your service, use it as Base URL in the credential.';
const CHECK = 'Check the Base URL in the credential.';

/** Where a path redirects to, where the message says that it does, and what to do. */
type Redirect = readonly [location: (path: string) => string, where: string, advice?: string];

const redirects: readonly Redirect[] = [
	[(path) => `${OTHER}${path}`, ` to ${OTHER}`, USE_IT],
	[(path) => `HTTPS://WWW.example.com:443${path}`, ` to ${OTHER}`, USE_IT],
	[(path) => `//www.example.com${path}?session=s3cret#top`, ` to ${OTHER}`, USE_IT],
	[(path) => `https://user:s3cret@www.example.com${path}?key=s3cret`, ` to ${OTHER}`, USE_IT],
	[(path) => `${OTHER}/myband${path}`, ` to ${OTHER}/myband`, USE_IT],
	[() => `${OTHER}/login?next=s3cret`, ` to ${OTHER}/login`],
	[() => `${OTHER}/<a href="https://evil.example">`, ` to ${OTHER}/%3Ca%20href=%22https://evil.example%22%3E`],
	[() => `${OTHER}/${'a'.repeat(200)}`, ` to ${OTHER}/${'a'.repeat(76)}…`],
	[(path) => `${path}/?a=s3cret#b`, ' to PATH/'],
	[() => '/<a>?s3cret', ' to /<\u200Ba>'],
	[() => 'login?s3cret', ''],
	[() => 'javascript:alert(1)', ''],
	[() => 'ftp://example.com/', ''],
	[() => 'https://', ''],
	[() => '', ''],
];

const cases = redirects.map(([location, where, advice]) => [location('PATH'), location, where, advice] as const);

const redirect = (path: string, location: string, status = 301) =>
	harness.sandbox.faults.add({ path, fault: { status, headers: { location } } });

const signedIn = () => ({ credential: storedToken(harness.sandbox, { accessToken: 'stored-token' }) });

describe('A redirect', () => {
	test.each(cases)('of a token request to %s is named', async (_example, location, where, advice = CHECK) => {
		redirect('/token', location('/oauth/token'));
		const { error } = await harness.runNode(GET_INFO);
		const words = where.replace('PATH', '/oauth/token');
		expect(error).toMatchObject({
			message: `No access token: the service responded with a redirect (301)${words}`,
			description: advice,
		});
		expect(JSON.stringify(error)).not.toContain('s3cret');
	});

	test.each(cases)('of a request to %s is named', async (_example, location, where, advice = CHECK) => {
		redirect('/me', location('/oauth/v1/me'));
		const { error } = await harness.runNode(GET_INFO, signedIn());
		const words = where.replace('PATH', '/oauth/v1/me');
		expect(error).toMatchObject({
			message: `The profile info was not read: the service responded with a redirect (301)${words}`,
			description: advice,
		});
		expect(JSON.stringify(error)).not.toContain('s3cret');
	});

	test.each<[INodeParameters, string]>([
		[{ resource: 'links', operation: 'getAll', filters: { groupId: '7' } }, '/oauth/v1/lnk/list'],
		[{ resource: 'api', operation: 'request', path: '/oauth/v1/a b?c=d' }, '/oauth/v1/a%20b'],
	])('of a request with a query is named: %j', async (parameters, path) => {
		redirect(path, `${OTHER}${path}?c=d`, 308);
		const { error } = await harness.runNode(parameters, signedIn());
		expect(error?.message).toMatch(/ a redirect, or has nothing at this path \(308\) to https:\/\/www\.example\.com$/);
		expect(error?.description).toBe(USE_IT);
	});

	test('is not named if it contains a secret', async () => {
		redirect('/me', `${OTHER}/stored%2Dtoken/`);
		const { error } = await harness.runNode(GET_INFO, signedIn());
		expect(error?.message).toBe('The profile info was not read: the service responded with a redirect (301)');
	});

	test('is named when the credential is tested', async () => {
		const store = harness.newStore();
		redirect('/token', `${OTHER}/oauth/token`);
		const { message } = await testCredential(
			harness.loaded,
			store,
			'profilePageApi',
			harness.addCredential(store),
			undefined,
		);
		expect(message).toBe(`No access token: the service responded with a redirect (301) to ${OTHER}. ${USE_IT}`);
	});

	test('of a status that is none is not named', async () => {
		redirect('/me', OTHER, 400);
		const { error } = await harness.runNode(GET_INFO, signedIn());
		expect(error?.message).toBe('The profile info was not read: the service rejected the request (400)');
	});
});

import { type Fault, namedFaults, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { GET_INFO } from '../support/parameters';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

const REMOVE = 'Remove /oauth/v1 from the Base URL in the credential, unless your service needs it.';

/** How services respond to paths that they do not know. */
const responses: ReadonlyArray<[string, Fault]> = [
	['404', statusFault(404)],
	['403', statusFault(403)],
	['a redirect', { status: 302, headers: { location: 'https://www.example.com/' } }],
	['a web page in place of JSON', namedFaults.html!],
];

async function getInfo(path: string, basePath: string, accessToken?: string) {
	const credential = { baseUrl: `${harness.sandbox.baseUrl}${basePath}` };
	const fields = accessToken ? storedToken(harness.sandbox, { accessToken, credential }) : credential;
	const { error } = await harness.runNode({ ...GET_INFO, options: { maxRetries: 0 } }, { credential: fields });
	expect(harness.sandbox.recorder.requests.at(-1)!.url).toBe(`${basePath}${path}`);
	return error!;
}

describe.each(responses)('After %s, a Base URL with the path of the API', (_what, fault) => {
	test('is the first thing to check if there is no token', async () => {
		harness.sandbox.faults.add({ fault });
		const { message, description } = await getInfo('/oauth/token', '/oauth/v1');
		expect(message).toMatch(/^No access token: /);
		expect(description!.startsWith(REMOVE)).toBe(true);
	});

	test('is the first thing to check if the profile info is not read', async () => {
		harness.sandbox.faults.add({ fault });
		const { message, description } = await getInfo('/oauth/v1/me', '/oauth/v1', 'a-token');
		expect(message).toMatch(/^The profile info was not read: /);
		expect(description!.startsWith(REMOVE)).toBe(true);
	});
});

test('A Base URL without a path is not blamed', async () => {
	harness.sandbox.faults.add({ fault: statusFault(404) });
	const { description } = await getInfo('/oauth/v1/me', '', 'a-token');
	expect(description).not.toContain('Remove ');
});

test('After a failure that says nothing of the path, a Base URL with a path is not blamed', async () => {
	harness.sandbox.faults.add({ fault: statusFault(500) });
	const { description } = await getInfo('/oauth/v1/me', '/oauth/v1', 'a-token');
	expect(description).not.toContain('Remove ');
});

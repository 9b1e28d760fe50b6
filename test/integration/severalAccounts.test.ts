import { useHarness } from '../support/harness';

const harness = useHarness({ links: [] });

const CREATE = {
	resource: 'links',
	operation: 'create',
	title: '={{ $json.title }}',
	url: 'https://example.com',
};

const REFUSED = 'Credential: its expressions give different accounts for the first and the last item';
const ADVICE = 'Use one credential for each account.';

describe('A credential that gives two accounts', () => {
	const settings = { onError: 'continueRegularOutput' } as const;

	test.each([
		['Base URLs', 'baseUrl', 'https://localhost:1'],
		['client secrets', 'clientSecret', 'other'],
	] as const)('by different %s is refused before anything is sent', async (_what, field, other) => {
		const values = [harness.sandbox[field], harness.sandbox[field], other];
		const items = values.map((value, index) => ({ value, title: `${index}` }));
		const credential = { [field]: '={{ $json.value }}' };
		const { error } = await harness.runNode(CREATE, { items, credential });
		expect(error).toMatchObject({ message: expect.stringContaining(REFUSED) as unknown });
		expect(error?.description).toContain(ADVICE);
		const { items: output } = await harness.runNode(CREATE, { items, credential, settings });
		expect(output.map(({ json }) => json)).toEqual(Array(3).fill({ error: `${REFUSED}. ${ADVICE}` }));
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test('by different client IDs of a public app is refused before anything is sent', async () => {
		const publicAppTokens = await harness.connectPublicApp();
		const items = [{ id: harness.sandbox.publicApp.clientId }, { id: 'other' }];
		const credential = { clientId: '={{ $json.id }}' };
		const { error } = await harness.runNode({ ...CREATE, title: 'A' }, { items, credential, publicAppTokens });
		expect(error?.message).toContain(REFUSED);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

test('A credential with expressions that give one account is used for all items', async () => {
	const items = ['a', 'b', 'c'].map((title) => ({ title, secret: harness.sandbox.clientSecret }));
	const { items: output } = await harness.runNode(CREATE, {
		items,
		credential: { clientSecret: '={{ $json.secret }}' },
	});
	expect(output.map(({ json }) => json.title)).toEqual(['a', 'b', 'c']);
	expect(harness.sandbox.recorder.grants).toBe(1);
});

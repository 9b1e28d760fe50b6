import fc from 'fast-check';

import { GrantSharing } from '../../credentials/grantSharing';

let now: number;
let grants: number;
let sharing: GrantSharing;

beforeEach(() => {
	now = 0;
	grants = 0;
	sharing = new GrantSharing(() => now);
});

/** Performs a grant that takes a moment and gives token-1, token-2 and so on. */
async function grant(): Promise<string> {
	grants += 1;
	const token = `token-${grants}`;
	await new Promise((resolve) => setImmediate(resolve));
	return token;
}

const ask = async (current: string, account = 'app') =>
	await sharing.token(account, current, grant);

/** Sends requests that carry a token, as n8n does through the credential. */
function send(token: string, requests: number, account = 'app'): void {
	for (let i = 0; i < requests; i++) sharing.noteRequest(account, token);
}

test('requests that find no token share one grant', async () => {
	const tokens = await Promise.all(Array.from({ length: 300 }, async () => await ask('')));
	expect(grants).toBe(1);
	expect(new Set(tokens)).toEqual(new Set(['token-1']));
});

test('requests whose common token was refused at once share one grant', async () => {
	send('old', 100);
	const tokens = await Promise.all(Array.from({ length: 100 }, async () => await ask('old')));
	expect(grants).toBe(1);
	expect(new Set(tokens)).toEqual(new Set(['token-1']));
});

test('so do those that come back refused after the grant is done', async () => {
	send('old', 3);
	expect(await ask('old')).toBe('token-1');
	expect(await ask('old')).toBe('token-1');
	expect(await ask('old')).toBe('token-1');
	expect(grants).toBe(1);
});

test('so do those that set out with the old token before the new one is stored', async () => {
	send('old', 1);
	expect(await ask('old')).toBe('token-1');
	send('old', 1);
	expect(await ask('old')).toBe('token-1');
	send('old', 2);
	expect(await ask('old')).toBe('token-1');
	expect(await ask('old')).toBe('token-1');
	expect(grants).toBe(1);
});

test('so do those that set out with the old token while others are under way with it', async () => {
	send('old', 2);
	expect(await ask('old')).toBe('token-1');
	send('old', 1);
	send('token-1', 1);
	expect(await ask('old')).toBe('token-1');
	expect(await ask('old')).toBe('token-1');
	expect(grants).toBe(1);
});

test('whoever comes with the old token once all of those are back gets a grant', async () => {
	send('old', 2);
	await Promise.all([ask('old'), ask('old')]);
	send('token-1', 2);
	send('old', 1);
	expect(await ask('old')).toBe('token-2');
});

test('so does who comes with it long after', async () => {
	send('old', 5);
	await ask('old');
	now += 120_000;
	expect(await ask('old')).toBe('token-2');
});

test('a new token that is refused in its turn brings a grant', async () => {
	send('old', 2);
	await ask('old');
	send('token-1', 2);
	expect(await ask('token-1')).toBe('token-2');
	expect(await ask('token-1')).toBe('token-2');
	expect(grants).toBe(2);
});

test('a test of the credential always performs the grant', async () => {
	await ask('');
	await ask('');
	await ask('token-2');
	expect(grants).toBe(3);
});

test('accounts share nothing', async () => {
	await Promise.all([ask('', 'one'), ask('', 'two')]);
	expect(grants).toBe(2);
});

test('all that share a grant that fails are told, and the next one tries again', async () => {
	const failing = async () => await sharing.token('app', '', () => Promise.reject(new Error('no')));
	const outcomes = await Promise.allSettled([failing(), failing(), failing()]);
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
	expect(await ask('')).toBe('token-1');
});

test('200 accounts are kept in mind', async () => {
	for (let i = 0; i < 200; i++) send('old', 2, `app-${i}`);
	for (const account of ['app-0', 'app-199']) {
		const first = await ask('old', account);
		expect(await ask('old', account)).toBe(first);
	}
	expect(grants).toBe(2);
});

test('many accounts are not kept for ever', async () => {
	send('old', 2);
	for (let i = 0; i < 200; i++) send('other', 1, `app ${i}`);
	await ask('old');
	expect(await ask('old')).toBe('token-2');
});

test('a token that was refused is never handed out again, in whatever order requests come back', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (refusals) => {
			const fresh = new GrantSharing(() => now);
			let current = '';
			let count = 0;
			const dead = new Set<string>();
			for (const isRefused of refusals) {
				if (isRefused) dead.add(current);
				if (!current || isRefused) {
					current = await fresh.token('app', current, () => Promise.resolve(`t${++count}`));
				}
				expect(dead.has(current)).toBe(false);
				fresh.noteRequest('app', current);
			}
		}),
	);
});

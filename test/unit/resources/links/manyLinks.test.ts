import { KnownLinks } from '../../../../nodes/ProfilePage/resources/links/knownLinks';
import type { Client } from '../../../../nodes/ProfilePage/service/client';

const client = { request: async () => await Promise.resolve([]) } as unknown as Client;
const addressOf = (id: number) => `https://example.com/${id}`;

/** Returns how long the processor works, in milliseconds. */
async function timeFor(count: number): Promise<number> {
	const links = new KnownLinks();
	const start = process.cpuUsage();
	for (let id = 1; id <= count; id += 1) {
		links.noteCreated({ link_id: id, link: addressOf(id) });
		const { matches } = await links.find(client, addressOf(id), 'exact');
		if (matches.length !== 1) throw new Error(`${addressOf(id)} was not found.`);
		if (id % 10 === 0) links.noteDeleted(String(id));
	}
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
}

test('A link takes no longer to note and to find after 20,000 others', async () => {
	await timeFor(2000);
	const [few, many] = [await timeFor(2000), await timeFor(20_000)];
	// Ten times as many may take ten times as long, and some noise; what grows with the square takes 100 times as long.
	expect(many).toBeLessThan(60 * few);
}, 60_000);

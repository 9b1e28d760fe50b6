/** What holds for every example, and what each of the short ones does. */
import { readdirSync } from 'node:fs';

import { type IDataObject, NodeHelpers } from 'n8n-workflow';

import { titledBlocks } from '../../sandbox/account';
import { seededLinks } from '../../sandbox/seed';
import { EXAMPLES, readExample as read, toItems, useExamples } from '../support/examples';
import { oneNodeWorkflow } from '../support/harness';
import { addLinks } from '../support/links';
import { HOME, SHOP } from '../support/pages';

const NOTE = 'n8n-nodes-base.stickyNote';

const { harness, start, run } = useExamples();

const order = (pageId: string) => harness.sandbox.account.order(pageId);
const titles = () => harness.sandbox.account.links.all.map(({ title }) => title);

describe.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))('The example %s', (name) => {
	const { nodes, connections, pinData, ...others } = read(name);
	const notes = nodes.filter(({ type }) => type === NOTE);
	const steps = nodes.filter(({ type }) => type !== NOTE);

	test('contains no credential and no data of a run, and says what it is for', () => {
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
		// Except for a feed or another service, whose address is only an example.
		const examples = steps.filter((node) => node.name === 'Read the Feed' || node.name === 'Ask Twitch');
		expect(Object.keys(pinData ?? {})).toEqual(examples.map((node) => node.name));
		// No instance ID, no owner, no state.
		expect(Object.keys(others).sort()).toEqual(['name', 'settings']);
		expect(notes[0]?.parameters.content).toMatch(/^## \w/);
	});

	test('connects all of its nodes', () => {
		const linked = Object.entries(connections).flatMap(([from, outputs]) => [
			from,
			...Object.values(outputs).flatMap((targets) => targets.flat().map((target) => target?.node)),
		]);
		expect(new Set(linked)).toEqual(new Set(steps.map((node) => node.name)));
	});

	test('sets only fields that the Profile Page node has and shows', () => {
		const own = nodes.filter(({ type }) => type.startsWith('n8n-nodes-profile-page.'));
		// That one fills the table of another example.
		expect(own.length > 0).toBe(name !== 'links-for-events.json');
		for (const node of own) {
			const asNode = { ...node, type: node.type.replace(/Tool$/, '') };
			const { description } = harness.loaded.nodeTypes.getByNameAndVersion(asNode.type, 1);
			// Fields that a tool has in addition to those of the node.
			const { descriptionType, toolDescription, ...fields } = node.parameters;
			expect(Boolean(toolDescription)).toBe(descriptionType === 'manual');
			expect(
				NodeHelpers.getNodeParameters(description.properties, fields, true, false, asNode, description),
			).toMatchObject(fields);
			expect(NodeHelpers.getNodeParametersIssues(description.properties, asNode, description)).toBeNull();
		}
	});
});

test.each([
	['reorder-blocks.json', [3, 0, 1, 2]],
	['move-a-block-to-the-top.json', [2, 0, 1, 3]],
])('the example %s puts one block on top, and keeps the order of the others', async (name, expected) => {
	const before = order(HOME);
	await run(read(name));
	expect(order(HOME)).toEqual(expected.map((position) => before[position]));
});

test('the example rotate-every-week.json moves the block below the picture to the bottom in each run', async () => {
	const [picture, first, second, ...others] = order(SHOP);
	await run(read('rotate-every-week.json'));
	await run(read('rotate-every-week.json'));
	expect(order(SHOP)).toEqual([picture, ...others, first, second]);
});

test('the example reorder-from-a-spreadsheet.json puts the blocks with the most clicks at the top of each page, by name', async () => {
	const example = read('reorder-from-a-spreadsheet.json');
	const source = example.nodes.find(({ name }) => name === 'Example Rows');
	const { rows } = JSON.parse(source?.parameters.jsonOutput as string) as { rows: IDataObject[] };
	// Texts, as in a CSV file.
	const texts = rows.map((row) => ({ ...row, clicks: `${row.clicks as number}` }));
	await run(example, {}, { 'One Item per Row': toItems(texts) });
	for (const page of harness.sandbox.account.pages) {
		const wanted = rows.filter((row) => row.page === page.title);
		wanted.sort((one, other) => Number(other.clicks) - Number(one.clicks));
		expect(titledBlocks(page).map(({ title }) => title)).toEqual(wanted.map(({ block }) => block));
	}
});

test('the example ai-agent.json creates a link once, and moves the blocks that the model fills in', async () => {
	const { nodes } = read('ai-agent.json');
	// Outside of an agent, $fromAI reads what the model would fill in from the item.
	const call = async (name: string, filledIn: IDataObject) => {
		const tool = nodes.find((node) => node.name === name)!;
		const workflow = oneNodeWorkflow({ ...tool, type: tool.type.replace(/Tool$/, '') });
		await run(workflow, {}, { Start: toItems([filledIn]) });
	};
	const before = order(HOME);
	const link = { title: 'Tickets', url: 'https://example.com/tickets' };
	await call('Create a Link', link);
	await call('Create a Link', link);
	await call('Put Blocks on Top', { blocks: 'Tour dates\nListen on' });
	expect(order(HOME)).toEqual([before[2], before[3], before[0], before[1]]);
	expect(titles().filter((title) => title === 'Tickets')).toHaveLength(1);
});

test('the example keep-the-newest-links.json deletes all public links but the newest 10', async () => {
	const [scheduled] = seededLinks.filter(({ schedule_from: from }) => from !== undefined);
	addLinks(harness.sandbox, 15);
	const before = titles();
	await run(read('keep-the-newest-links.json'));
	const kept = [...before.slice(0, 10), scheduled?.title];
	expect(titles()).toEqual(kept);
	await run(read('keep-the-newest-links.json'));
	expect(titles()).toEqual(kept);
});

describe('The example find-broken-links.json', () => {
	const notFound = (host: string) => ({ error: { message: `getaddrinfo ENOTFOUND ${host}` } });

	/** What the HTTP Request node returns for `mailto:me@example.com`, and for a link without an address. */
	const NO_WEB_ADDRESSES = [
		{ error: 'Invalid URL: mailto:me@example.com. URL must start with "http" or "https".' },
		{ error: 'URL parameter must be a string, got undefined' },
	];

	/** Runs it with what the HTTP Request nodes return for each link. Returns its error, and the broken links. */
	async function check(answers: IDataObject[]) {
		const listed = answers.map((_, index) => ({
			link_id: index,
			title: `Link ${index}`,
			url: `https://${index}.example`,
		}));
		const noSuccess = answers.filter(({ statusCode }) => statusCode !== 200);
		const { error, runData } = await start(
			read('find-broken-links.json'),
			{},
			{
				'Get the Links': toItems(listed),
				'Ask Without the Page': toItems(answers),
				'Ask for the Page': noSuccess.map((json, item) => ({ json, pairedItem: { item } })),
			},
		);
		return { error: error?.message, broken: runData['Broken Links']?.[0]?.data?.main?.[0]?.map(({ json }) => json) };
	}

	test('lists links whose page or host is gone, and none that refuses programs, is down, or has no web address', async () => {
		const answers = [{ statusCode: 200 }, { statusCode: 404 }, { statusCode: 403 }, { statusCode: 503 }];
		const { error, broken } = await check([...answers, notFound('4.example'), ...NO_WEB_ADDRESSES]);
		expect(error).toBeUndefined();
		expect(broken).toMatchObject([
			{ title: 'Link 1', url: 'https://1.example', reason: 'Status 404' },
			{ title: 'Link 4', url: 'https://4.example', reason: 'The host does not exist' },
		]);
	});

	test('stops if n8n finds none of several hosts, beside links without a web address', async () => {
		const { error, broken } = await check([notFound('0.example'), notFound('1.example'), ...NO_WEB_ADDRESSES]);
		expect(error).toContain('n8n could not look up the host of any link');
		expect(broken).toBeUndefined();
	});
});

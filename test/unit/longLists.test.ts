import type { IDataObject } from 'n8n-workflow';

import { orderParser } from '../../nodes/ProfilePage/resources/blocks/order';
import { groupChoices } from '../../nodes/ProfilePage/resources/groups/groupField';
import { KnownLinks } from '../../nodes/ProfilePage/resources/links/knownLinks';
import { linkChoices } from '../../nodes/ProfilePage/resources/links/linkFields';
import { parseLinks } from '../../nodes/ProfilePage/resources/links/linkRequests';
import { blockList, choicesOf, pageList } from '../../nodes/ProfilePage/resources/entries';
import type { Client } from '../../nodes/ProfilePage/service/client';
import { findNewLinks } from '../../nodes/ProfilePage/trigger/linkMemory';
import { processorTime } from '../support/processorTime';

const MEGABYTE = 1_000_000;

/** Twice as long as n8n may stand still, as other threads collect garbage meanwhile. */
const MAX_MILLISECONDS = 400;

/** Entries that are as short as they can be, so that there are many. */
const ENTRIES: Readonly<Record<string, (index: number) => unknown>> = {
	'empty objects': () => ({}),
	numbers: () => 1,
	IDs: (id) => ({ id }),
	'IDs of links': (id) => ({ link_id: id }),
	'IDs of groups': (id) => ({ group_id: id }),
	addresses: () => ({ link: 'a:' }),
	'invalid addresses': (id) => ({ link_id: id, link: 'http://' }),
	'blocks with a position': (id) => ({ id, position: 1 }),
	'links with one title': (id) => ({ link_id: id, title: 'a' }),
};

/** Each place that reads a list of the service. */
const READERS: Readonly<Record<string, (envelope: IDataObject) => unknown>> = {
	'links to choose from': (envelope) => linkChoices.links.parse(envelope),
	'groups to choose from': (envelope) => groupChoices.groupsOrAny.parse(envelope),
	'pages to choose from': choicesOf(pageList),
	'blocks to choose from': choicesOf(blockList),
	'links to look through': async (envelope) => {
		const request = async () => await Promise.resolve(parseLinks(envelope));
		await new KnownLinks().find({ request } as unknown as Client, 'https://a', 'loose');
	},
	'blocks after a reorder': ({ data }) => {
		const parse = orderParser({ id: 'PAGE', label: 'the page' }, ['a'], (json) => [{ json }], []);
		return parse({ data: { blocks: data } });
	},
	'links of the trigger': ({ data }) => findNewLinks(data as IDataObject[], { seen: {}, reached: null }),
};

function megabyteOf(make: (index: number) => unknown): string {
	const { length } = JSON.stringify(make(100_000));
	const data = Array.from({ length: MEGABYTE / (length + 1) }, (_, index) => make(index + 1));
	return JSON.stringify({ status: true, data });
}

describe.each(Object.entries(ENTRIES))('A megabyte of %s', (_entries, make) => {
	const response = megabyteOf(make);

	test.each(Object.entries(READERS))('as %s does not stop n8n', async (_place, read) => {
		const envelope = JSON.parse(response) as IDataObject;
		expect(await processorTime(() => read(envelope), MAX_MILLISECONDS)).toBeLessThan(MAX_MILLISECONDS);
	});
});

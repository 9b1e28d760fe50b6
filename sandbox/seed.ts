import type { PageSeed } from './account';
import type { Group, NewLink } from './links';
import type { App } from './oauth/oauth';

export const seededApp: App = {
	clientId: 'sandbox-client-id',
	clientSecret: 'sandbox-client-secret',
};

export const seededPublicApp: App = {
	clientId: 'sandbox-public-client-id',
	clientSecret: 'sandbox-public-client-secret',
};

/** Two pages of different sizes, with IDs in the documented formats (docs/api.md, sections 2.2 and 2.3). */
export const seededPages: readonly PageSeed[] = [
	{
		id: 'PAGE_home_65f1c0a2b3d4e',
		title: 'Home',
		blocks: [
			{ id: '65f1c0a2b3d4e1.10481516', type: 'BLOCK_TITLE', title: 'New single' },
			{ id: '65f1c0a2b3d4e2.23420815', type: 'BLOCK_ICONS', title: 'Follow the band' },
			{ id: '65f1c0a2b3d4e3.16234204', type: 'BLOCK_TITLE', title: 'Tour dates' },
			{ id: '65f1c0a2b3d4e4.42081523', type: 'BLOCK_ICONS', title: 'Listen on' },
		],
	},
	{
		id: 'PAGE_shop_65f1c0c7d8e9f',
		title: 'Shop',
		blocks: [
			{ id: '65f1c0c7d8e9f0.62643383', type: 'BLOCK_PROFILEPIC', title: 'Picture of the shop' },
			{ id: '65f1c0c7d8e9f1.31415926', type: 'BLOCK_TITLE', title: 'Vinyl' },
			{ id: '65f1c0c7d8e9f2.53589793', type: 'BLOCK_ICONS', title: 'Ways to pay' },
			{ id: '65f1c0c7d8e9f3.23846264', type: 'BLOCK_TITLE', title: 'T-shirts' },
			{ id: '65f1c0c7d8e9f4.33832795', type: 'BLOCK_TITLE', title: 'Posters' },
			{ id: '65f1c0c7d8e9f5.02884197', type: 'BLOCK_ICONS', title: 'Share the shop' },
			{ id: '65f1c0c7d8e9f6.16939937', type: 'BLOCK_TITLE', title: 'Gift cards' },
			{ id: '65f1c0c7d8e9f7.51058209', type: 'BLOCK_ICONS', title: 'Contact us' },
		],
	},
];

export const seededGroups: readonly Group[] = [
	{ group_id: 1, group_name: 'Shop' },
	{ group_id: 2, group_name: 'Events' },
	{ group_id: 3, group_name: 'Press' },
];

/** Links with and without a group, an image and a schedule, oldest first. */
export const seededLinks: readonly NewLink[] = [
	{ title: 'Newsletter', link: 'https://example.com/newsletter' },
	{
		title: 'New album',
		link: 'https://example.com/album',
		image: 'https://example.com/pictures/album.jpg',
	},
	{ title: 'Summer tour', link: 'https://example.com/tour?from=profile', group_id: 2 },
	{
		title: 'Farewell concert',
		link: 'https://example.com/farewell',
		group_id: 2,
		schedule_from: '2099-06-01T09:00:00+02:00',
		schedule_to: '2099-06-30T23:59:59+02:00',
	},
];

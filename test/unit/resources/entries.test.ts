import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	blockList,
	choicesOf,
	pageList,
	parseEntries,
	requestForList,
} from '../../../nodes/ProfilePage/resources/entries';
import { Failed, settle } from '../../../nodes/ProfilePage/service/failure';
import { adviceOf } from '../../support/adviceOf';
import { processorTime } from '../../support/processorTime';
import { anyText, webAddresses } from '../../support/texts';

const BASE = 'https://example.com/base';

const pagesPath = (entered: unknown) =>
	requestForList(pageList, { baseUrl: BASE, pagesPath: entered, blocksPath: '' }).path;

const blocksPath = (entered: unknown, pageId = 'PAGE 1/ü&') =>
	requestForList(blockList, { baseUrl: BASE, pagesPath: '', blocksPath: entered }, pageId).path;

const readPages = (envelope: IDataObject) => parseEntries(envelope, pageList);
const readBlocks = (envelope: IDataObject) => parseEntries(envelope, blockList);

describe('Pages Path', () => {
	test.each([
		['get pages', '/pages'],
		['  GET\t/pages\n', '/pages'],
		['/list?page_id=all', '/list?page_id=all'],
	])('accepts %j', (entered, path) => {
		expect(pagesPath(entered)).toBe(path);
	});

	test.each([undefined, null, '', '  ', 'GET ', {}])('names what to look for if it is %j', (entered) => {
		expect(() => pagesPath(entered)).toThrow('Pages Path: the credential does not contain it');
		expect(adviceOf(() => pagesPath(entered))).toBe(
			'Find "List all pages" in the API documentation of your service, and enter its path as Pages Path in the credential.',
		);
	});
});

describe('Blocks Path', () => {
	test.each([
		['/blocks', '/blocks?page_id=PAGE%201%2F%C3%BC%26'],
		['/blocks?all=1', '/blocks?all=1&page_id=PAGE%201%2F%C3%BC%26'],
		['/blocks?page_id=', '/blocks?page_id=PAGE%201%2F%C3%BC%26'],
		['/blocks?page_id=PAGE_2&all=1', '/blocks?all=1&page_id=PAGE%201%2F%C3%BC%26'],
		['/blocks?my_page_id=7', '/blocks?my_page_id=7&page_id=PAGE%201%2F%C3%BC%26'],
		['/pages/{page_id}/blocks', '/pages/PAGE%201%2F%C3%BC%26/blocks'],
		['GET /blocks?page={page_id}&all=1', '/blocks?page=PAGE%201%2F%C3%BC%26&all=1'],
		['https://example.com/base/pages/{page_id}', '/pages/PAGE%201%2F%C3%BC%26'],
	])('of %j has the ID of the page, percent-encoded', (entered, path) => {
		expect(blocksPath(entered)).toBe(path);
	});

	test.each([
		['..', '/pages/{page_id}/blocks'],
		['%2e%2e', '/pages/{page_id}/blocks'],
		['/example.org', '/{page_id}'],
		['a\\b', '/pages/{page_id}'],
		['https://example.org', '{page_id}'],
		['\uD800', '/blocks'],
	])('refuses the page %j, which would lead out of %j', (pageId, entered) => {
		expect(() => blocksPath(entered, pageId)).toThrow(`Page: a path cannot contain the ID "${pageId}"`);
	});

	test('cannot be a part of a host with the ID of the page', () => {
		const entered = 'https://example.com{page_id}';
		expect(() => blocksPath(entered, '.example.org/base')).toThrow(/^Blocks Path: the address /);
	});
});

test('no path and no page ID lead to another host or out of the Base URL, however often they are decoded', () => {
	const piece = fc.constantFrom(
		...[
			'.',
			'..',
			'/',
			'\\',
			'%2e',
			'%2f',
			'%5c',
			'%25',
			'2e',
			'?',
			'#',
			':',
			'@',
			'a',
			'https:',
			'{page_id}',
			'GET ',
			BASE,
		],
	);
	const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
	const value = fc.oneof(text, webAddresses, anyText);
	fc.assert(
		fc.property(value, value, (entered, pageId) => {
			for (const toPath of [() => pagesPath(entered), () => blocksPath(entered, pageId)]) {
				let path: string;
				try {
					path = toPath();
				} catch (error) {
					expect(error).toBeInstanceOf(Failed);
					continue;
				}
				let [pathname = ''] = path.split('?');
				for (let round = 0; round < 12; round += 1) {
					const url = new URL(`${BASE}${pathname.replaceAll('?', '%3f').replaceAll('#', '%23')}`);
					expect(url.origin).toBe('https://example.com');
					expect(url.pathname).toMatch(/^\/base\//);
					pathname = pathname.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
						String.fromCharCode(Number.parseInt(hex, 16)),
					);
				}
			}
		}),
		{ numRuns: 2000 },
	);
});

const block = (id: unknown, others: IDataObject = {}): IDataObject => ({ id: id as string, ...others });

describe('A list', () => {
	test.each<[string, IDataObject, string]>([
		['an entry without an ID', { data: [block('a'), { title: 'B' }] }, 'entry 2 of the list has no ID'],
		['an entry with an empty ID', { data: [block(' ')] }, 'entry 1 of the list has no ID'],
		['an entry that is no object', { data: [block('a'), 'b'] }, 'entry 2 of the list has no ID'],
		['a number that lost digits', { data: [block(2 ** 53)] }, 'entry 1 of the list has no ID'],
		['an ID twice', { data: [block('1'), block('b'), block(1)] }, 'entries 1 and 3 of the list have the same ID'],
	])('with %s fails', (_what, envelope, problem) => {
		const advice = 'Check that Blocks Path in the credential is the path of "List blocks in a page".';
		expect(settle(() => readBlocks(envelope))).toMatchObject({ problem, advice });
	});

	test.each<[IDataObject, string, string]>([
		[{ id: 'a', title: ' A ' }, 'a', 'A'],
		[{ block_id: 7, name: 'B' }, '7', 'B'],
		[{ id: null, block_id: 'c', title: '', label: 'C' }, 'c', 'C'],
		[{ id: 'd', page_id: 'PAGE', title: 5 }, 'd', '5'],
		[{ id: 65.25 }, '65.25', ''],
	])('of blocks reads %j', (entry, id, name) => {
		expect(readBlocks({ data: [entry] })).toMatchObject([{ id, name }]);
	});

	test('of pages reads page_id before id', () => {
		const data = [{ id: 7, page_id: 'PAGE_1' }, { id: 'PAGE_2' }];
		expect(readPages({ data })).toMatchObject([{ id: 'PAGE_1' }, { id: 'PAGE_2' }]);
	});
});

describe('Blocks stand', () => {
	const read = (...positions: unknown[]) => {
		const listed = readBlocks({
			data: positions.map((position, index) => block(`${index}`, { position } as IDataObject)),
		});
		return listed.map(({ id }) => Number(id));
	};

	test('from top to bottom by position if all have a whole one', () => {
		expect(read(2, 0, 1)).toEqual([1, 2, 0]);
		expect(read('10', '9', '-1')).toEqual([2, 1, 0]);
		expect(read(1, 0, 1)).toEqual([1, 0, 2]);
	});

	test('as listed otherwise', () => {
		expect(read(2, undefined, 1)).toEqual([0, 1, 2]);
		expect(read(2, 0.5, 1)).toEqual([0, 1, 2]);
		expect(read(2, '', 1)).toEqual([0, 1, 2]);
	});
});

test('A list of 50,000 blocks with one name is read, and shown, without n8n standing still', async () => {
	const data = Array.from({ length: 50_000 }, (_, index) => block(`${index}`, { title: 'A' }));
	const read = choicesOf(blockList);
	expect(read({ data })).toHaveLength(50_000);
	expect(await processorTime(() => read({ data }), 1000)).toBeLessThan(1000);
});

describe('The editor shows', () => {
	const names = (...data: IDataObject[]) => choicesOf(blockList)({ data }).map(({ name }) => name);

	test('the name of an entry, else its type and position, else its ID', () => {
		expect(names({ id: 'a', name: 'A' }, { id: 'b', type: 'BLOCK_ICONS' }, { id: 'c' })).toEqual([
			'A',
			'BLOCK_ICONS at position 1',
			'c',
		]);
	});
});

test('no block is lost or doubled, whatever a response contains', () => {
	const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.nat(5), fc.constantFrom('a', 'b', ''));
	const entry = fc.record({ id: value, block_id: value, position: value, title: value }, { requiredKeys: [] });
	fc.assert(
		fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: entry }, { weight: 1, arbitrary: value })), (data) => {
			const read = settle(() => readBlocks({ data }));
			if (read.outcome !== 'done') return;
			expect(read.result).toHaveLength(data.length);
			expect(new Set(read.result.map(({ id }) => id)).size).toBe(data.length);
		}),
	);
});

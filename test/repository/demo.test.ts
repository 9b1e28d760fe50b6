import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

describe('npm run demo', () => {
	let output: string;
	beforeAll(async () => {
		const tsx = path.join(ROOT, 'node_modules/.bin/tsx');
		const env = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: '1' };
		output = (await promisify(execFile)(tsx, ['demo/demo.ts'], { cwd: ROOT, env })).stdout;
	}, 60_000);

	const plain = () => stripVTControlCharacters(output);

	test('shows the page before and after, side by side', () => {
		expect(plain()).toContain(
			[
				'  Before               After',
				'  0  New single        0  Listen on',
				'  1  Follow the band   1  New single',
				'  2  Tour dates        2  Follow the band',
				'  3  Listen on         3  Tour dates',
			].join('\n'),
		);
	});

	test('shows each request with its status, its duration and its form', () => {
		const lines = plain()
			.split('\n')
			.filter((line) => line.startsWith('  POST'));
		const token = /^ {2}POST \/oauth\/token {16}200 +\d+ ms {2}grant_type=client_credentials$/;
		const sort = (status: number) =>
			new RegExp(
				`^  POST /oauth/v1/page/blocks/sort  ${status} +\\d+ ms  page_id=PAGE_home_\\w+, blocks=\\[\\{"id".*…$`,
			);
		const expected = [token, sort(200), sort(401), token, sort(200), sort(503), sort(200)];
		expect(lines).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
	});

	test('ends with the number of requests', () => {
		expect(plain().trimEnd()).toMatch(/\nAll three runs succeeded, with 2 token requests and 5 API requests\.$/);
	});
});

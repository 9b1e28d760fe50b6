import { request } from 'undici';

import { Clock, formatTime } from '../../sandbox/clock';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { eventsDuring, type Fields, FORM, getPage, getProfileStatus, newToken, send } from '../support/serviceClient';

const HOUR = 3_600_000;
const START = Date.parse('2030-01-31T18:00:00+01:00');

describe('The clock', () => {
	beforeEach(() => jest.useFakeTimers({ now: START }));
	afterEach(() => jest.useRealTimers());

	test.each([undefined, START - HOUR, START + HOUR])('runs like the real time from %p', (start) => {
		const clock = new Clock(start);
		jest.advanceTimersByTime(1500);
		expect([clock.now(), clock.offset]).toEqual([(start ?? START) + 1500, (start ?? START) - START]);
	});

	test('moves ahead by a duration or to a time, and emits a change each time', () => {
		const clock = new Clock();
		const changes: number[] = [];
		clock.on('change', () => changes.push(clock.now() - START));
		clock.advance(HOUR);
		clock.advanceTo(START + 3 * HOUR);
		expect(changes).toEqual([HOUR, 3 * HOUR]);
	});

	test('does not move back to a time that has passed', () => {
		const clock = new Clock();
		clock.advanceTo(START - 1);
		expect(clock.now()).toBe(START);
	});

	test.each([START - HOUR, START + HOUR])('is set back to the present from %p', (start) => {
		const clock = new Clock(start);
		const changes: number[] = [];
		clock.on('change', () => changes.push(clock.now()));
		clock.reset();
		expect([changes, clock.offset]).toEqual([[START], 0]);
	});

	test.each([
		[-1, 'The clock only moves ahead.'],
		[NaN, 'The clock only moves ahead.'],
		[8000 * 366 * 24 * HOUR, 'The clock ends with the year 9999.'],
		[Infinity, 'The clock ends with the year 9999.'],
	])('does not move by %p', (milliseconds, message) => {
		const clock = new Clock();
		expect(() => clock.advance(milliseconds)).toThrow(message);
		expect(clock.now()).toBe(START);
	});
});

describe('The clock of a sandbox', () => {
	let sandbox: Sandbox;
	beforeEach(async () => (sandbox = await startSandbox({ time: START })));
	afterEach(async () => await sandbox.close());

	const post = async (fields: Fields, headers = {}) =>
		await send(sandbox, '/clock', {
			method: 'POST',
			headers: { 'content-type': FORM, ...headers },
			body: new URLSearchParams(fields).toString(),
		});

	/** Returns the time and the buttons of the form on the page. */
	async function shown() {
		const { html } = await getPage(sandbox, '/');
		const form = /<form class="clock" method="post" action="\/clock">.*?<\/form>/s.exec(html)?.[0];
		const buttons = form?.matchAll(/<button name="(\w+)" value="([^"]+)".*?>(.*?)<\/button>/g);
		const [, offset, time] = /<time data-offset="(-?\d+)">(.*?)<\/time>/.exec(form ?? '') ?? [];
		return { offset, time: time ?? '', buttons: [...(buttons ?? [])].map(([, ...rest]) => rest) };
	}

	test('starts at the given time, and does not expire tokens', async () => {
		const token = await newToken(sandbox);
		expect(sandbox.clock.now() - START).toBeLessThan(10_000);
		expect(sandbox.clock.now()).toBeGreaterThanOrEqual(START);
		sandbox.clock.advance(1000 * HOUR);
		expect(await getProfileStatus(sandbox, token)).toBe(200);
	});

	test('is on the page, with buttons to move it ahead', async () => {
		const { offset, time, buttons } = await shown();
		expect(Number(offset)).toBe(sandbox.clock.offset);
		expect(Date.parse(time) - START).toBeLessThan(10_000);
		expect(time).toBe(formatTime(Date.parse(time)));
		expect(buttons).toEqual([
			['advance', '3600', '+1 hour'],
			['advance', '86400', '+1 day'],
			['until', '2099-06-01T07:00:00+00:00', 'Next schedule'],
			['set', 'now', 'Now'],
		]);
	});

	test('offers no way back at the present', async () => {
		sandbox.clock.reset();
		expect((await shown()).buttons.map(([name]) => name)).not.toContain('set');
	});

	test('offers the end of a schedule that has begun, and no schedule once all are over', async () => {
		sandbox.clock.advanceTo(Date.parse('2099-06-01T07:00:00Z'));
		expect((await shown()).buttons[2]).toEqual(['until', '2099-06-30T21:59:59+00:00', 'Next schedule']);
		sandbox.clock.advanceTo(Date.parse('2099-06-30T21:59:59Z'));
		expect((await shown()).buttons.map(([name]) => name)).toEqual(['advance', 'advance', 'set']);
	});

	test.each([
		[{ advance: '86400' }, START + 24 * HOUR],
		[{ until: '2099-06-01T07:00:00+00:00' }, Date.parse('2099-06-01T07:00:00Z')],
		[{ set: 'now' }, Date.now()],
	])('moves to the time of the form %j, and open pages are updated', async (fields, expected) => {
		const events = await eventsDuring(sandbox, async () => {
			const { statusCode, headers } = await request(`${sandbox.baseUrl}/clock`, {
				method: 'POST',
				headers: { 'content-type': FORM, origin: sandbox.baseUrl },
				body: new URLSearchParams(fields).toString(),
			});
			expect([statusCode, headers.location]).toEqual([303, '/']);
		});
		expect(events).toEqual(['data: changed']);
		const moved = sandbox.clock.now() - expected;
		expect(moved).toBeGreaterThanOrEqual(0);
		expect(moved).toBeLessThan(60_000);
	});

	test.each<[Fields, string]>([
		[{}, 'Send advance, until, or set=now.'],
		[{ set: 'yesterday' }, 'Send advance, until, or set=now.'],
		[{ advance: '1.5' }, 'advance must be a whole number.'],
		[{ advance: '-1' }, 'advance must be a whole number.'],
		[{ advance: '9007199254740991' }, 'The clock ends with the year 9999.'],
		[{ until: 'tomorrow' }, 'until must be a time such as'],
	])('is not moved by the form %j', async (fields, message) => {
		const { offset } = sandbox.clock;
		const { status, body } = await post(fields);
		expect(status).toBe(400);
		expect(body).toEqual({ status: false, errors: [expect.stringContaining(message)] });
		expect(sandbox.clock.offset).toBe(offset);
	});

	test('leaves no link from the future behind when it is set back, and a new link is the newest', () => {
		const { clock, account } = sandbox;
		const { links } = account;
		clock.advanceTo(Date.parse('2099-06-10T00:00:00Z'));
		links.add({ title: 'From the future', link: 'https://example.com/' });
		const order = links.all.map(({ link_id: id }) => id);
		clock.reset();
		expect(links.all.map(({ link_id: id }) => id)).toEqual(order);
		expect(links.stateOf(links.all.find(({ title }) => title === 'Farewell concert')!)).toBe('scheduled');
		links.add({ title: 'Newest', link: 'https://example.com/' });
		const created = links.list().map((link) => Date.parse(link.created_at));
		expect(created).toEqual(created.toSorted((a, b) => b - a));
		expect(created[0]).toBeLessThanOrEqual(Date.now());
	});

	test('is not moved by a form of another site', async () => {
		const { offset } = sandbox.clock;
		const { status } = await post({ advance: '3600' }, { origin: 'https://evil.example' });
		expect(status).toBe(403);
		expect(sandbox.clock.offset).toBe(offset);
	});
});

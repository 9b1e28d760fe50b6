import { flagOption, optionsField, readOptions } from '../../../nodes/ProfilePage/resources/options';
import { itemOf } from '../../support/items';

const read = (options: object) => readOptions(itemOf({ entered: { options } }));

test('options that were not added have their defaults', () => {
	const defaults = { batchSize: 10, batchInterval: 0, timeout: 30_000, maxRetries: 2 };
	expect(read({})).toEqual(defaults);
	expect(read({ batching: { batch: {} } })).toEqual(defaults);
});

test('options that were added are read', () => {
	const batching = { batch: { batchSize: 3, batchInterval: '50' } };
	expect(read({ batching, timeout: 100, maxRetries: 0 })).toEqual({
		batchSize: 3,
		batchInterval: 50,
		timeout: 100,
		maxRetries: 0,
	});
});

test.each([
	[{ batching: { batch: { batchSize: 0 } } }, 'Items per Batch: the value must be a whole number'],
	[{ batching: { batch: { batchInterval: -1 } } }, 'Batch Interval (ms): the value must be a whole'],
	[{ timeout: 0 }, 'Timeout (ms): the value must be a whole number, from 1 to 86400000'],
	[{ maxRetries: 11 }, 'Max Retries: the value must be a whole number, from 0 to 10'],
])('the options %j are rejected', (options, message) => {
	expect(() => read(options)).toThrow(message);
});

test.each([
	[{ batching: { batch: { batchSize: '{{ 3 }}' } } }, 'Items per Batch'],
	[{ batching: { batch: { batchInterval: '{{ $json.ms' } } }, 'Batch Interval (ms)'],
	[{ timeout: '{{ $json.ms }}' }, 'Timeout (ms)'],
	[{ maxRetries: '{{ 1' }, 'Max Retries'],
])('the options %j, which contain an unfinished expression, are rejected', (options, field) => {
	expect(() => read(options)).toThrow(`${field}: the text contains "{{", but is not an expression`);
});

test('the options of an operation are shown among those of every operation, by name', () => {
	const flag = flagOption({ displayName: 'Include Page ID', name: 'includePageId' });
	expect(flag.shown).toMatchObject({ type: 'boolean', default: false });
	const names = optionsField([flag]).options?.map(({ name }) => name);
	expect(names).toEqual(['batching', 'includePageId', 'maxRetries', 'timeout']);
});

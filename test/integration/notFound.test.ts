import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { operations, properties } from '../../nodes/ProfilePage/resources';
import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const harness = useHarness();

/** Valid values for the fields of all operations. Each ignores those it does not have. */
const FIELDS: INodeParameters = {
	pageId: 'PAGE_1',
	blockIds: ['1.1'],
	linkId: { __rl: true, mode: 'id', value: '1' },
	title: 'New',
	url: 'https://example.com',
	updateFields: { title: 'New' },
};

const api = readFileSync(path.resolve(__dirname, '../../docs/api.md'), 'utf8');

/** Returns what an operation is based on, by docs/api.md, section 8. */
function readBasis(name: string): string {
	const [, basis = ''] = new RegExp(`^\\| ${name} +\\| (.*?) *\\|$`, 'm').exec(api) ?? [];
	return basis;
}

const [resourceField] = properties;
const resourceNames = new Map(
	(resourceField?.options as INodePropertyOptions[]).map(({ name, value }) => [value, name]),
);

/** All operations but those whose path comes from the user. */
const rows = [...operations].flatMap(([key, { shown }]) => {
	const [resource = '', operation = ''] = key.split(':');
	const name = `${resourceNames.get(resource)}: ${shown.name}`;
	const basis = readBasis(name);
	const isOfUser = resource === 'api' || basis.startsWith('The path in your credential');
	return isOfUser ? [] : [{ name, basis, parameters: { resource, operation } }];
});

const LNK_BIO =
	'If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.';

describe('The error after HTTP 404 of an operation', () => {
	test.each(rows)('names Lnk.Bio unless the contract describes it: $name ($basis)', async ({ basis, parameters }) => {
		harness.sandbox.faults.add({ fault: statusFault(404) });
		const credential = storedToken(harness.sandbox, { accessToken: 'a-token' });
		const { error } = await harness.runNode({ ...FIELDS, ...parameters }, { credential });
		const isOfContract = basis.startsWith('Contract');
		expect(error!.message).toContain(`: the service has nothing at this ${isOfContract ? 'address' : 'path'} (404)`);
		expect(error!.description).toMatch(/^Check the Base URL in the credential\./);
		expect(basis).not.toBe('');
		expect(error!.description!.includes(LNK_BIO)).toBe(!isOfContract);
	});
});

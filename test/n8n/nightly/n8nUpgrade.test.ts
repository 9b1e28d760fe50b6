import { N8n } from '../support/n8n';
import { testUpgrade } from '../support/upgrade';
import { testedN8n, upgradeOf } from '../support/versions';

const [from, to] = upgradeOf(testedN8n);

describe(`An upgrade of n8n from ${from.n8n} to ${to.n8n}`, () => {
	testUpgrade({
		create: async () => await N8n.create({ name: 'n8n-upgrade', installation: from }),
		upgrade: (n8n) => n8n.replaceBy(to),
	});
});

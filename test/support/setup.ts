import { disableStorages } from './asyncStorages';
import { useUserFolder } from './runFolder';

disableStorages();
useUserFolder();

// Fastify looks up the name of a plugin without a display name in require.cache, which Jest lists anew
// each time. That took an eighth of the time of all tests.
Object.defineProperty(Function.prototype, Symbol.for('fastify.display-name'), {
	value: 'plugin',
	writable: true,
});

import { inheritedEnvironment } from '../n8n/support/processes';

test('An n8n that starts for a trial or a test gets no setting of the n8n of its user', () => {
	const settings = {
		DB_TYPE: 'postgresdb',
		N8N_ENCRYPTION_KEY: 'k',
		QUEUE_BULL_REDIS_HOST: 'h',
		EXTERNAL_HOOK_FILES: 'f',
	};
	const others = { PATH: '/bin', HTTPS_PROXY: 'http://proxy', TZ: 'Europe/Rome' };
	expect(inheritedEnvironment({ ...settings, ...others })).toEqual(others);
});

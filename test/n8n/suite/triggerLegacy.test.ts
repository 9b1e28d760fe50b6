import { testPolling } from '../support/polling';

testPolling({ name: 'n8n-trigger-legacy', env: {} });

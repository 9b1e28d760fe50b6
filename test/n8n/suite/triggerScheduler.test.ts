import { SCHEDULER, testPolling } from '../support/polling';

testPolling({ name: 'n8n-trigger-scheduler', env: SCHEDULER });

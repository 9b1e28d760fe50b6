/**
 * Installs what the tests in a real n8n need: n8n and its Node.js from npm, n8n's native modules, and
 * Chromium, nginx, PostgreSQL and Redis from Debian. Skips what is installed. To install another version than
 * that of the lock file and update the lock file: `npm run setup:n8n -- n8n@latest`.
 */
import { Listr } from 'listr2';

import { n8nTasks, programTasks } from './support/installation';
import { defaultN8n } from '../versions/versions';

new Listr([...n8nTasks(defaultN8n, process.argv.slice(2)), ...programTasks()]).run().catch(() => {
	process.exitCode = 1;
});

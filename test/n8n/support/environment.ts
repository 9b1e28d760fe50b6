/** The settings of n8n. Those of the reader's own n8n, such as its database, are not for the one that starts here. */
const SETTING_OF_N8N = /^(CREDENTIALS|DB|EXECUTIONS|EXTERNAL|GENERIC|N8N|OFFLOAD|QUEUE|WEBHOOK)_/;

/** Returns the environment of this process without settings of n8n. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !SETTING_OF_N8N.test(name)));
}

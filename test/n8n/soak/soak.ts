/**
 * Runs the package in a real n8n for an hour, on a schedule and with a trigger, while tokens expire and the
 * service fails now and then. README.md describes it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { N8n } from '../support/n8n';
import { packPackage } from '../support/packageUnderTest';
import { logFolder } from '../support/processes';
import { soakFaults } from './faults';
import { MemoryRecorder } from './memory';
import { collect, type Soaked } from './results';
import { report } from './report';
import { POLL_INTERVAL, scheduleWorkflow, triggerWorkflow } from './workflows';

/** In seconds. */
const TOKEN_LIFETIME = 30;
/** Of the faults; in a short run, they follow each other faster. */
const FAULT_INTERVAL = 15;
/** At the end, without faults. */
const RECOVERY = 30;
const SAMPLE_INTERVAL = 5;

/** @throws Error if it is not a whole number of at least 2 */
function readMinutes(text: string): number {
	if (/^\d+$/.test(text) && Number(text) >= 2) return Number(text);
	throw new Error(`--minutes is "${text}". Enter a whole number, 2 or more.`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
	const minutes = readMinutes(values.minutes);
	packPackage();
	const sandbox = await startSandbox({ tokenLifetime: TOKEN_LIFETIME });
	let n8n: N8n | undefined;
	try {
		n8n = await N8n.create({ name: 'soak' });
		console.log('Starting n8n …');
		await n8n.start();
		await n8n.rest.setUpOwner();
		const { text, passed } = report(await soak(n8n, sandbox, minutes), TOKEN_LIFETIME);
		console.log(`\n${text}`);
		if (!passed) process.exitCode = 1;
	} finally {
		await n8n?.remove();
		await sandbox.close();
	}
}

async function soak(n8n: N8n, sandbox: Sandbox, minutes: number): Promise<Soaked> {
	const { rest } = n8n;
	const credential = await rest.addPrivateApp(sandbox);
	const blockIds = sandbox.account.order(HOME);
	const trigger = await rest.createWorkflow(triggerWorkflow(credential));
	const schedule = await rest.createWorkflow(scheduleWorkflow(credential, HOME, blockIds));
	const earlierLinks = new Set(sandbox.account.links.all.map(({ link_id: id }) => id));

	const start = Date.now();
	await rest.activate(trigger);
	await rest.activate(schedule);
	const memory = new MemoryRecorder(n8n.pid ?? NaN, SAMPLE_INTERVAL * 1000);
	await injectFaults(sandbox, minutes * 60);
	await rest.deactivate(schedule.id);
	// The last links are emitted.
	await wait(4 * POLL_INTERVAL * 1000);
	const trend = memory.stop();
	await rest.deactivate(trigger.id);
	const seconds = (Date.now() - start) / 1000;

	mkdirSync(logFolder, { recursive: true });
	writeFileSync(path.join(logFolder, 'soak-memory.csv'), trend.csv);
	const created = sandbox.account.links.all.filter(({ link_id: id }) => !earlierLinks.has(id));
	return await collect({ rest, sandbox, schedule, trigger, created, memory: trend, seconds });
}

/** Injects the faults one after the other, and shows the progress. */
async function injectFaults({ faults, recorder }: Sandbox, seconds: number): Promise<void> {
	const end = Date.now() + (seconds - RECOVERY) * 1000;
	const interval = Math.min(FAULT_INTERVAL, (seconds - RECOVERY) / (soakFaults.length + 1));
	for (let index = 0; Date.now() < end - interval * 1000; index += 1) {
		await wait(interval * 1000);
		const { rule, name } = soakFaults[index % soakFaults.length] ?? {};
		if (rule) faults.add(rule);
		const left = ((end - Date.now()) / 60_000).toFixed(1);
		console.log(`${left} min left, ${recorder.requests.length} requests, next fault: ${name}`);
	}
	await wait(end - Date.now());
	faults.clear();
	await wait(RECOVERY * 1000);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});

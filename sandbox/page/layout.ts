import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { FastifyInstance, FastifyReply } from 'fastify';

import { type Html, html } from './html';

const read = (name: string) => readFileSync(path.join(__dirname, name), 'utf8');

/** Registers the style and the script. They have URLs of their own, so that the pages need nothing inline. */
export function registerAssets(server: FastifyInstance): void {
	const [style, script] = [read('style.css'), read('update.js')];
	server.get('/style.css', async (_request, reply) => await reply.type('text/css; charset=utf-8').send(style));
	server.get('/update.js', async (_request, reply) => await reply.type('text/javascript; charset=utf-8').send(script));
}

/** Sends a page. */
export async function sendPage(reply: FastifyReply, title: string, main: Html): Promise<FastifyReply> {
	return await reply.type('text/html; charset=utf-8').send(
		html`<!DOCTYPE html>
			<html lang="en">
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/style.css" />
				<script src="/update.js" defer></script>
				<title>${title}</title>
				<header><h1>${title}</h1></header>
				<main>${main}</main>
			</html>`.toString(),
	);
}

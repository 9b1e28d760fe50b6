import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from 'ghtml';

/** The parts of an HTML page. The title is plain text, the others are HTML. */
export interface Content {
	title: string;
	/** Shown below the title. */
	intro?: string;
	main: string;
	/** Whether the page uses the whole window, and is kept up to date by the script. */
	isLive?: boolean;
}

const read = (name: string) => readFileSync(path.join(__dirname, 'assets', name), 'utf8');

/** Registers the style and the script. They have URLs of their own, so that the pages need nothing inline. */
export function registerAssets(server: FastifyInstance): void {
	const [style, script] = [read('style.css'), read('live.js')];
	server.get('/style.css', async (_request, reply) => await reply.type('text/css; charset=utf-8').send(style));
	server.get('/live.js', async (_request, reply) => await reply.type('text/javascript; charset=utf-8').send(script));
}

/** Sends an HTML page in the sandbox's common layout. */
export async function sendPage(
	reply: FastifyReply,
	{ title, intro = '', main, isLive = false }: Content,
): Promise<FastifyReply> {
	return await reply.type('text/html; charset=utf-8').send(
		html`<!DOCTYPE html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width, initial-scale=1" />
					<meta name="color-scheme" content="light dark" />
					<link rel="icon" href="data:," />
					<link rel="stylesheet" href="/style.css" />
					!${isLive ? '<script src="/live.js" defer></script>' : ''}
					<title>${title}</title>
				</head>
				<body class="${isLive ? 'live' : 'narrow'}">
					<header>
						<h1>${title}</h1>
						!${intro}
					</header>
					<main>!${main}</main>
					!${isLive ? '<p role="status"></p>' : ''}
				</body>
			</html>`,
	);
}

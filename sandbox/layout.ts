import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';

import { style } from './style';

/** The parts of an HTML page. The title and the detail are plain text, the others are HTML. */
export interface Content {
	title: string;
	/** Shown smaller beside the title. */
	detail?: string;
	main: string;
	/** Shown below the main part. Unlike all others, it is not replaced while the page is open. */
	form?: string;
	/** Shown below the main part and the form. */
	aside?: string;
	/** Whether the aside is beside the main part and the form on a wide screen. */
	isWide?: boolean;
	nav?: string;
	/** JavaScript. */
	script?: string;
}

/** Sends an HTML page in the sandbox's common layout. */
export async function sendPage(
	reply: FastifyReply,
	{ title, detail = '', main, form = '', aside = '', isWide = false, nav = '', script = '' }: Content,
): Promise<FastifyReply> {
	return await reply.type('text/html; charset=utf-8').send(
		html`<!DOCTYPE html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width, initial-scale=1" />
					<link rel="icon" href="data:," />
					<title>${title}</title>
					<style>
						!${style}
					</style>
				</head>
				<body class="${isWide ? 'wide' : ''}">
					!${nav && html`<nav>!${nav}</nav>`}
					<h1>${title} !${detail && html`<small>${detail}</small>`}</h1>
					<main>!${main}</main>
					!${form} !${aside && html`<aside>!${aside}</aside>`}
					!${
						script &&
						html`<script>
							!${script};
						</script>`
					}
				</body>
			</html>`,
	);
}

import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';

/** The parts of an HTML page. The title and the detail are plain text, the others are HTML. */
export interface Content {
	title: string;
	/** Shown smaller beside the title. */
	detail?: string;
	main: string;
	nav?: string;
	/** JavaScript. */
	script?: string;
}

/** Sends an HTML page in the sandbox's common layout. */
export async function sendPage(
	reply: FastifyReply,
	{ title, detail = '', main, nav = '', script = '' }: Content,
): Promise<FastifyReply> {
	return await reply.type('text/html; charset=utf-8').send(
		html`<!DOCTYPE html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width" />
					<title>${title}</title>
					<style>
						!${style}
					</style>
				</head>
				<body>
					!${nav && html`<nav>!${nav}</nav>`}
					<h1>${title} !${detail && html`<small>${detail}</small>`}</h1>
					<main>!${main}</main>
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

const style = `
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem;
		background: #f5f5fb; color: #1e1b4b; }
	h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
	ul { list-style: none; padding: 0; }
	ol { padding-left: 2rem; }
	h2 { font-size: 1.2rem; overflow-wrap: anywhere; }
	small { color: #6b7280; font-size: .85rem; font-weight: normal; }
	ol li, .links li { margin: .5rem 0; padding: .5rem .9rem; border-radius: .6rem; background: #fff;
		border-left: .4rem solid #818cf8; overflow-wrap: anywhere; }
	ol li.BLOCK_ICONS { border-left-color: #f59e0b; }
	.links :is(.scheduled, .ended) { border-left-color: #d1d5db; }
	.links :is(.scheduled, .ended), .links :is(.scheduled, .ended) a, .links li p { color: #6b7280; }
	.links li p { margin: 0; font-size: .85rem; }
	ol li span, .links li span { float: right; color: #6b7280; font-size: .85rem; }
	ol li::after { content: ''; display: block; clear: both; }
	main p { overflow-wrap: anywhere; }
	form { padding: 1rem 1.3rem; border-radius: .6rem; background: #fff; }
	form.clock { margin: 1rem 0; padding: .5rem .9rem; }
	form.clock button { padding: .1rem .5rem; font-size: .85rem; }
	label { display: block; margin-bottom: 1rem; }
	input, button { font: inherit; padding: .4rem .8rem; border-radius: .4rem; border: 1px solid #818cf8; }
	input { display: block; width: 100%; box-sizing: border-box; }
	button { background: #fff; color: inherit; cursor: pointer; }
	button.main { background: #4f46e5; border-color: #4f46e5; color: #fff; }
	[role=alert] { color: #b91c1c; }
`;

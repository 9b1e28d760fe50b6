import type { FastifyReply } from 'fastify';
import { html } from '../page/html';
import { sendPage } from '../page/layout';

export interface SignInForm {
	action: string;
	/** The user name of a failed attempt. */
	rejected?: { userName: string };
}

export async function sendSignIn(reply: FastifyReply, { action, rejected }: SignInForm): Promise<FastifyReply> {
	const error = rejected && html`<p role="alert">Wrong user name or password. Try again.</p>`;
	const main = html`<form method="post" action="${action}">
		<p>User name and password are on the page of the sandbox, in Connect n8n.</p>
		${error}
		<label>
			User name
			<input name="user_name" value="${rejected?.userName ?? ''}" autocomplete="username" required />
		</label>
		<label>
			Password
			<input name="password" type="password" autocomplete="current-password" required />
		</label>
		<button>Sign in</button>
	</form>`;
	return await sendPage(reply, 'Sign in to the sandbox', main);
}

export interface ConsentForm {
	action: string;
	/** The client ID. */
	app: string;
	/** The user name of the owner. */
	account: string;
	/** The origin of the redirect URI. */
	origin: string;
}

export async function sendConsentForm(
	reply: FastifyReply,
	{ action, app, account, origin }: ConsentForm,
): Promise<FastifyReply> {
	const main = html`<form method="post" action="${action}">
		<p>
			The app <strong>${app}</strong> requests access to the account <strong>${account}</strong>. It will be able to see
			the profile, manage links, and reorder the blocks on pages.
		</p>
		<p>You will be redirected to ${origin}.</p>
		<button name="decision" value="allow">Allow</button>
		<button name="decision" value="deny">Deny</button>
	</form>`;
	return await sendPage(reply, 'Allow access to the account?', main);
}

export async function sendError(reply: FastifyReply, title: string, message: string): Promise<FastifyReply> {
	return await sendPage(reply, title, html`<p role="alert">${message}</p>`);
}

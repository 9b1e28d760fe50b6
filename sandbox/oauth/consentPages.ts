import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';

import { sendPage } from '../layout';

export interface SignInForm {
	/** Where the form goes. */
	action: string;
	/** The user name of a try that failed. */
	wrong?: { userName: string };
}

/** Asks who the user is. */
export async function sendSignIn(
	reply: FastifyReply,
	{ action, wrong }: SignInForm,
): Promise<FastifyReply> {
	const problem = wrong
		? '<p role="alert">The user name or the password is wrong. Try again.</p>'
		: '';
	const main = html`<form method="post" action="${action}">
		!${problem}
		<label>
			User name
			<input name="user_name" value="${wrong?.userName ?? ''}" autocomplete="username" required />
		</label>
		<label>
			Password
			<input name="password" type="password" autocomplete="current-password" required />
		</label>
		<button class="main">Sign in</button>
	</form>`;
	return await sendPage(reply, { title: 'Sign in to the sandbox', main });
}

export interface Question {
	/** Where the form goes. */
	action: string;
	/** What proves that the form comes from this page. */
	formKey: string;
	app: string;
	account: string;
	/** Where the answer is sent. */
	origin: string;
}

/** Asks the owner whether the app may use the account. */
export async function sendQuestion(
	reply: FastifyReply,
	{ action, formKey, app, account, origin }: Question,
): Promise<FastifyReply> {
	const main = html`<form method="post" action="${action}">
		<p>
			The app <strong>${app}</strong> asks to use the account <strong>${account}</strong>: to see
			its profile, to change its links, and to set the order of the blocks on its pages.
		</p>
		<p>Your answer goes to ${origin}.</p>
		<input type="hidden" name="form_key" value="${formKey}" />
		<button class="main" name="decision" value="allow">Allow</button>
		<button name="decision" value="deny">Deny</button>
	</form>`;
	return await sendPage(reply, { title: 'Allow the app to use the account?', main });
}

/** Says what is wrong, and leads nowhere. */
export async function sendProblem(
	reply: FastifyReply,
	title: string,
	problem: string,
): Promise<FastifyReply> {
	return await sendPage(reply, { title, main: html`<p role="alert">${problem}</p>` });
}

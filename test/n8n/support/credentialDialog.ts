import type { Locator, Page } from 'playwright-core';

/** The editor's dialog for creating and testing a credential. */
export class CredentialDialog {
	readonly #dialog: Locator;

	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.#dialog = page.locator('[data-test-id="editCredential-modal"]');
	}

	/** Chooses the kind of app, such as "Private App". */
	async chooseMode(name: string): Promise<void> {
		await this.#byTestId('credential-mode-dropdown-trigger').click();
		await this.#page.getByRole('menuitem', { name }).click();
	}

	async enter(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.#byTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Presses Save. n8n then tests the credential, and closes the dialog if the test succeeds. */
	async save(): Promise<void> {
		await this.#byTestId('credential-save-button').click();
	}

	/** Waits until the test has succeeded. Returns the message. */
	async success(): Promise<string> {
		const banner = this.#byTestId('credentials-config-container-test-success');
		await banner.waitFor();
		return await banner.innerText();
	}

	/** Waits until the test has failed. Returns the error message. */
	async failure(): Promise<string> {
		await this.#dialog.getByText('More details').click();
		return await this.#dialog.locator('[class*="_details_"]:visible').last().innerText();
	}

	/** Presses Connect, which opens a window of the service. */
	async pressConnect(): Promise<void> {
		await this.#byTestId('quick-connect-button').click();
	}

	/** Waits until the credential is connected to an account. */
	async connected(): Promise<void> {
		await this.#byTestId('oauth-connect-success-banner').waitFor();
	}

	async close(): Promise<void> {
		await this.#dialog.locator('.el-dialog__headerbtn').click();
		await this.closed();
	}

	async closed(): Promise<void> {
		await this.#dialog.waitFor({ state: 'hidden' });
	}

	#byTestId(id: string): Locator {
		return this.#dialog.locator(`[data-test-id="${id}"]`);
	}
}

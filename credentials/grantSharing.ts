/**
 * How long, after a token was replaced, requests sent with the old one may still come back
 * refused. Longer than a request may take.
 */
const STRAGGLER_WINDOW_MS = 120_000;

/** Accounts kept in mind; an n8n with more credentials than that merely shares less. */
const MAX_ACCOUNTS = 200;

interface Replacement {
	token: string;
	by: string;
	/** How many requests are under way with the old token. */
	stragglers: number;
	/** Whether the new token is stored: n8n stores it before any request goes out with it. */
	isStored: boolean;
	/** When the last straggler is surely back. */
	until: number;
}

interface Account {
	/** The grant that is under way. */
	pending?: Promise<string>;
	/** The token that requests went out with last, and how many did. */
	carried?: { token: string; requests: number };
	/** The token that was replaced last. */
	replaced?: Replacement;
}

/**
 * Lets parallel requests of one account share a grant: those that find no token, and those whose
 * common token was refused. n8n asks for a token for each of them on its own, so that without this
 * 300 requests would cost 300 grants.
 *
 * A refused token is answered from memory only as often as requests went out with it before the new
 * one was stored: whoever comes with it later holds a token from elsewhere, and gets a grant.
 */
export class GrantSharing {
	private readonly accounts = new Map<string, Account>();

	constructor(private readonly now: () => number = Date.now) {}

	/** Notes that a request of the account goes out with this token. */
	noteRequest(accountKey: string, token: string): void {
		const account = this.find(accountKey);
		const { carried, replaced } = account;
		if (replaced?.by === token) replaced.isStored = true;
		if (replaced?.token === token && (!replaced.isStored || replaced.stragglers > 0)) {
			// It read the old token before the new one was stored, or goes out among such requests.
			replaced.stragglers += 1;
		} else if (carried?.token === token) carried.requests += 1;
		else account.carried = { token, requests: 1 };
	}

	/**
	 * @param accountKey tells accounts apart, and one secret of an account from another
	 * @param current the token that the asking request has: empty if none, else refused or in doubt
	 * @param requestToken performs the grant
	 * @returns the token to use, from the grant or from one that other requests caused
	 * @throws what the grant throws, to all that share it
	 */
	async token(
		accountKey: string,
		current: string,
		requestToken: () => Promise<string>,
	): Promise<string> {
		const account = this.find(accountKey);
		if (account.pending) return await this.join(account, account.pending, current);
		const shared = this.claim(account, current);
		if (shared) return shared;

		account.pending = requestToken();
		try {
			const token = await account.pending;
			this.replace(account, current, token);
			return token;
		} finally {
			account.pending = undefined;
		}
	}

	private async join(account: Account, pending: Promise<string>, current: string): Promise<string> {
		const token = await pending;
		// It is one of the stragglers that the grant has just made room for.
		this.claim(account, current);
		return token;
	}

	/** Answers a request that comes with the token replaced last. */
	private claim({ replaced }: Account, current: string): string | undefined {
		if (replaced?.token !== current || replaced.stragglers === 0) return undefined;
		if (this.now() >= replaced.until) return undefined;
		replaced.stragglers -= 1;
		return replaced.by;
	}

	private replace(account: Account, token: string, by: string): void {
		const sent = account.carried?.token === token ? account.carried.requests : 0;
		if (sent === 0) return;
		const until = this.now() + STRAGGLER_WINDOW_MS;
		account.replaced = { token, by, stragglers: sent - 1, isStored: false, until };
	}

	private find(accountKey: string): Account {
		const known = this.accounts.get(accountKey);
		if (known) return known;
		const [oldest] = this.accounts.keys();
		if (this.accounts.size >= MAX_ACCOUNTS && oldest !== undefined) this.accounts.delete(oldest);
		const account: Account = {};
		this.accounts.set(accountKey, account);
		return account;
	}
}

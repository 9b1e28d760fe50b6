import type { ListPaths } from '../n8n/credential';
import type { Client } from '../service/client';
import { quoteSafely } from '../service/quotes';
import { invalid } from '../shared/failure';
import { getOrCreate, INVISIBLE, joined, quotable, trimmed } from '../shared/values';
import { blockList, type Entry, pageList, parseEntries, requestForList } from './entries';

/** What people and models write around names: "1. ", "2) ", or "- " before them, and quotation marks. */
export const MARKS = [/^\d+[.)]\s(?<name>.+)$/s, /^[-*•]\s(?<name>.+)$/s, /^["'`“„«](?<name>.+)["'`”“»]$/s];

const MAX_SHOWN = 10;

/** What the list of the editor stores of something that is not there any more, or belongs elsewhere. */
const LIKE_ID = /^(?=\D*\d)[\w.-]{12,}$/;
const REMOVE = 'If it was chosen from a list, such as that of another page, remove it, and choose again.';

/** Finds pages, or the blocks of a page, by what users, spreadsheets, and AI models call them. */
export class Names {
	/** By their loosened IDs and names, once these are needed: to loosen many for each text takes long. */
	#loosened?: ReadonlyMap<string, Entry[]>;

	/**
	 * @param noun what they are, such as "block"
	 * @param owner whose they are, such as `page "Home"`
	 * @param secrets what no message may repeat, even if the service calls one so; none for what users have entered
	 */
	constructor(
		readonly entries: readonly Entry[],
		readonly noun: string,
		readonly owner: string,
		readonly secrets: ReadonlySet<string> = new Set(),
	) {}

	/** Returns all that a text may mean: by ID, else by name, else by either but for case, white space, and invisible characters. */
	find(text: string): Entry[] {
		const exact = trimmed(text);
		if (exact === '') return [];
		for (const isMeant of [({ id }: Entry) => id === exact, ({ name }: Entry) => name === exact]) {
			const found = this.entries.filter(isMeant);
			if (found.length > 0) return found;
		}
		this.#loosened ??= byLoosened(this.entries);
		const found = this.#loosened.get(loosened(text));
		if (found) return found;
		const bare = this.#withoutMarks(exact);
		return bare === exact ? [] : this.find(bare);
	}

	/** Returns the one that a text means. Throws Failure if there is none, or several share the name. */
	findOne(text: string, displayName: string): Entry {
		const [found, ...others] = this.find(text);
		if (found && others.length === 0) return found;
		const exact = trimmed(text);
		const called = `called "${quotable(exact)}"`;
		if (!found) {
			const names = this.entries.map(({ id }) => this.labelOf(id));
			const advice = joined(' ', `It has: ${shortened(names)}.`, LIKE_ID.test(exact) && REMOVE);
			throw invalid(displayName, `no ${this.noun} of ${this.owner} is ${called}`, advice);
		}
		const ids = [found, ...others].map((each) => {
			return `"${quotable(quoteSafely(each.id, this.secrets) ?? '…')}" at position ${this.entries.indexOf(each)}`;
		});
		const problem = `${ids.length} ${this.noun}s of ${this.owner} are ${called}`;
		throw invalid(displayName, problem, `Use the ID of one of them: ${shortened(ids)}.`);
	}

	/** Returns what messages call one: its name, if that is known, or its ID, unless it repeats a secret. */
	labelOf(id: string): string {
		const name = quoteSafely(this.entries.find((entry) => entry.id === id)?.name, this.secrets);
		const safeId = quoteSafely(id, this.secrets);
		return name ? `"${quotable(name)}"` : safeId ? `${this.noun} "${quotable(safeId)}"` : `another ${this.noun}`;
	}

	/** Only marks that no name has. */
	#withoutMarks(text: string): string {
		const unused = MARKS.filter((mark) => !this.entries.some(({ name }) => mark.test(name)));
		return unused.reduce((rest, mark) => rest.replace(mark, '$<name>'), text);
	}
}

/** Reads the names of the blocks of a page, or of the pages of the profile. */
export async function loadNames(
	client: Client,
	paths: ListPaths,
	page?: { id: string; label: string },
): Promise<Names> {
	const [list, noun] = page ? [blockList, 'block'] : [pageList, 'page'];
	const entries = await client.request(requestForList(list, paths, page?.id), (envelope) =>
		parseEntries(envelope, list),
	);
	return new Names(entries, noun, page?.label ?? 'the profile', client.account.secrets);
}

function byLoosened(entries: readonly Entry[]): Map<string, Entry[]> {
	const found = new Map<string, Entry[]>();
	for (const entry of entries) {
		for (const text of new Set([loosened(entry.id), loosened(entry.name)])) {
			getOrCreate(found, text, (): Entry[] => []).push(entry);
		}
	}
	return found;
}

function loosened(text: string): string {
	return text.replace(UNSEEN, '').normalize('NFC').toLowerCase();
}

const UNSEEN = new RegExp(String.raw`[\s${INVISIBLE}]`, 'gu');

function shortened(texts: readonly string[]): string {
	const rest = texts.length - MAX_SHOWN;
	return `${texts.slice(0, MAX_SHOWN).join(', ') || 'none'}${rest > 0 ? `, and ${rest} more` : ''}`;
}

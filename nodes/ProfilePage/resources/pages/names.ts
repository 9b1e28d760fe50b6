import type { Credential } from '../../n8n/app';
import type { Client } from '../../service/client';
import { invalid } from '../../shared/failure';
import { decodeEntities, enumerate, quotable, trimmed } from '../../shared/values';
import { type Listed, pageList, requestForList } from './configuredLists';

/** Finds pages, or the blocks of a page, by what users, spreadsheets, and AI models call them. */
export class Names {
	/** The names of the entries, loosened. */
	readonly #loosened: readonly string[];

	/**
	 * @param noun what they are, such as "block"
	 * @param owner whose they are, such as `page "Home"`
	 */
	constructor(
		readonly entries: readonly Listed[],
		readonly noun: string,
		readonly owner: string,
	) {
		this.#loosened = entries.map(({ name }) => loosened(name));
	}

	/** Returns all that a text may mean: by ID, else by name, else by a name that differs as {@link loosened} allows. */
	find(text: string): Listed[] {
		const [wanted, loose] = [trimmed(text), loosened(text)];
		if (wanted === '') return [];
		const byId = this.entries.filter(({ id }) => id === wanted);
		if (byId.length > 0) return byId;
		const byName = this.entries.filter(({ name }) => name === wanted);
		if (byName.length > 0 || loose === '') return byName;
		return this.entries.filter((_, index) => this.#loosened[index] === loose);
	}

	/**
	 * Returns the one that a text means. Throws Failure if there is none, or several. Its message names what there is: by
	 * default, a model reads nothing else.
	 *
	 * @param advice what to do if there is none
	 */
	findOne(text: string, displayName: string, advice = 'Use one of these names.'): Listed {
		const [found, ...others] = this.find(text);
		if (found && others.length === 0) return found;
		const called = `called "${quotable(trimmed(text))}"`;
		if (!found) {
			const names = enumerate(this.entries.map((entry) => this.labelOf(entry))) || 'none';
			throw invalid(displayName, `no ${this.noun} of ${this.owner} is ${called}. It has: ${names}`, advice);
		}
		const ids = [found, ...others].map((entry) => {
			return `"${quotable(entry.id)}" (${this.labelOf(entry)}, position ${this.entries.indexOf(entry)})`;
		});
		const problem = `${ids.length} ${this.noun}s of ${this.owner} are ${called}: ${enumerate(ids)}`;
		throw invalid(displayName, problem, 'Enter one of these IDs in place of the name.');
	}

	/** Returns what messages call one: its name, if it has one, or its ID. */
	labelOf({ id, name }: Listed): string {
		// A message is one line.
		return name ? `"${quotable(name.replace(/\s+/gu, ' '))}"` : `${this.noun} "${quotable(id)}"`;
	}
}

/** Reads the names of the pages. Throws Failure. */
export async function loadPages(client: Client, credential: Credential): Promise<Names> {
	return new Names(await client.request(requestForList(pageList, credential)), 'page', 'the profile');
}

/** Everything but letters, digits, and symbols such as emoji. The marks of other scripts count, as パパ and ハハ are two names. */
const IGNORED = /[^\p{L}\p{N}\p{S}\p{M}]|[\u0300-\u036F\uFE0F]/gu;

/** Returns the same text for names that people take for the same: neither case, accents, white space, nor punctuation counts. */
export function loosened(text: string): string {
	// Before NFKD, too, which takes long for many accents.
	const plain = decodeEntities(text).replace(IGNORED, '').normalize('NFKD').replace(IGNORED, '');
	// Upper case last, as "ẞ" has the lower case "ß", and that the upper case "SS".
	return plain.toLowerCase().toUpperCase();
}

import type { Credential } from '../n8n/app';
import type { Client } from '../service/client';
import { invalid } from '../shared/failure';
import { enumerate, getOrCreate, INVISIBLE, quotable, trimmed } from '../shared/values';
import { blockList, type Entry, pageList, parseEntries, requestForList } from './entries';

/** Looks like an ID, which the editor stores for what was chosen from its list. It may be deleted, or of another page. */
const LIKE_ID = /^(?=\D*\d)[\w.-]{12,}$/;
const REMOVE = 'If it was chosen from a list, such as that of another page, remove it, and choose again.';

/** Finds pages, or the blocks of a page, by what users, spreadsheets, and AI models call them. */
export class Names {
	/** By their loosened IDs and names, once these are needed: to loosen many for each text takes long. */
	#loosened?: ReadonlyMap<string, Entry[]>;

	/**
	 * @param noun what they are, such as "block"
	 * @param owner whose they are, such as `page "Home"`
	 */
	constructor(
		readonly entries: readonly Entry[],
		readonly noun: string,
		readonly owner: string,
	) {}

	/** Returns all that a text may mean: by ID, else by name, else by either, as {@link loosened} compares them. */
	find(text: string): Entry[] {
		const exact = trimmed(text);
		if (exact === '') return [];
		for (const isMeant of [({ id }: Entry) => id === exact, ({ name }: Entry) => name === exact]) {
			const found = this.entries.filter(isMeant);
			if (found.length > 0) return found;
		}
		this.#loosened ??= byLoosened(this.entries);
		return this.#loosened.get(loosened(text)) ?? [];
	}

	/**
	 * Returns the one that a text means. Throws Failure if there is none, or several. Its message names what there is: by
	 * default, a model reads nothing else.
	 */
	findOne(text: string, displayName: string): Entry {
		const [found, ...others] = this.find(text);
		if (found && others.length === 0) return found;
		const exact = trimmed(text);
		const called = `called "${quotable(exact)}"`;
		if (!found) {
			const names = enumerate(this.entries.map(({ id }) => this.labelOf(id))) || 'none';
			const problem = `no ${this.noun} of ${this.owner} is ${called}. It has: ${names}`;
			throw invalid(displayName, problem, LIKE_ID.test(exact) ? REMOVE : 'Use one of these names.');
		}
		const ids = [found, ...others].map((each) => {
			return `"${quotable(each.id)}" (${this.labelOf(each.id)}, position ${this.entries.indexOf(each)})`;
		});
		const problem = `${ids.length} ${this.noun}s of ${this.owner} are ${called}: ${enumerate(ids)}`;
		throw invalid(displayName, problem, 'Enter one of these IDs in place of the name.');
	}

	/** Returns what messages call one: its name, if it has one, or its ID. */
	labelOf(id: string): string {
		const name = this.entries.find((entry) => entry.id === id)?.name;
		// A message is one line.
		return name ? `"${quotable(name.replace(/\s+/gu, ' '))}"` : `${this.noun} "${quotable(id)}"`;
	}
}

/** Reads the names of the blocks of a page, or of the pages of the profile. */
export async function loadNames(
	client: Client,
	credential: Credential,
	page?: { id: string; label: string },
): Promise<Names> {
	const [list, noun] = page ? [blockList, 'block'] : [pageList, 'page'];
	const entries = await client.request(requestForList(list, credential, page?.id), (envelope) =>
		parseEntries(envelope, list),
	);
	return new Names(entries, noun, page?.label ?? 'the profile');
}

function byLoosened(entries: readonly Entry[]): Map<string, Entry[]> {
	const found = new Map<string, Entry[]>();
	for (const entry of entries) {
		for (const text of new Set([loosened(entry.id), loosened(entry.name)])) {
			if (text !== '') getOrCreate(found, text, (): Entry[] => []).push(entry);
		}
	}
	return found;
}

/** What keyboards, spreadsheets, and HTML write in several ways, besides what Unicode itself takes for the same. */
const VARIANTS: ReadonlyArray<readonly [pattern: RegExp, text: string]> = [
	[/&amp;/gi, '&'],
	[/[\u2018-\u201B`\u00B4]/g, "'"],
	[/[\u201C-\u201F]/g, '"'],
	[/[\u2010-\u2015\u2212]/g, '-'],
];

/** White space, invisible characters, and accents. The marks of other scripts stay, as パパ and ハハ are two names. */
const IGNORED = new RegExp(String.raw`[\s${INVISIBLE}\u0300-\u036F]`, 'gu');

/**
 * Returns the same text for names that people take for the same: neither case, accents, white space, width, nor the kind of
 * quotation mark or dash counts.
 */
export function loosened(text: string): string {
	// Before NFKD, which makes a lone acute accent a space with a mark, and takes long for many accents.
	const plain = VARIANTS.reduce((rest, [pattern, same]) => rest.replace(pattern, same), text).replace(IGNORED, '');
	// Upper case last, as "ẞ" has the lower case "ß", and that the upper case "SS".
	return plain.normalize('NFKD').replace(IGNORED, '').toLowerCase().toUpperCase();
}

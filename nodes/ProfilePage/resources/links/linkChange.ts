import type { Item } from '../../fields/item';
import { invalid } from '../../shared/failure';
import { asText, enumerate, quotable } from '../../shared/values';
import { keys } from '../keys';
import type { Call } from '../operation';
import type { Session } from '../session';
import { type KnownLink, type KnownLinks, toKnown } from './knownLinks';
import { linkField } from './linkFields';
import { linkOutput } from './linkOutput';
import { MAX_LISTED } from './linkRequests';

/** Plans a change of the link that an item selects by its ID, or by its URL. `send` sends the change. */
export function planChange(
	item: Item,
	action: 'updated' | 'deleted',
	send: (links: KnownLinks, link: KnownLink) => Promise<void>,
): Call {
	const { id, url } = linkField.read(item);
	const isById = url === undefined;
	const subject = isById ? `link ${quotable(id)}` : `the link with the URL "${quotable(url)}"`;
	const perform = async ({ links }: Session) => {
		const link = isById ? toKnown({ link_id: id }) : await findOne(links, url);
		await send(links, link);
		return { items: linkOutput(item, action, link.fields) };
	};
	// By its URL, a later try may find another link: an older one that the list did not contain before.
	const repeat = isById ? 'always' : 'ifNotApplied';
	const purpose = { method: 'POST', subject, effect: ['was', action], repeat } as const;
	return { purpose, looksFirst: !isById, perform, key: isById ? keys.link(id) : keys.links };
}

/** Returns the only link with a URL. Throws Failure if there is none, or several. */
async function findOne(links: KnownLinks, url: string): Promise<KnownLink> {
	const { found } = await links.find(url);
	const [link, ...others] = found;
	const { displayName } = linkField.shown;
	if (!link) {
		const problem = `none of the ${MAX_LISTED} newest public links has the URL "${quotable(url)}"`;
		throw invalid(
			displayName,
			problem,
			'Check the URL, or set Link to By ID. Every parameter and a slash at the end count.',
		);
	}
	if (others.length === 0) return link;
	const ids = enumerate(found.map(({ fields }) => asText(fields.link_id)));
	throw invalid(
		displayName,
		`${found.length} links have the URL "${quotable(url)}"`,
		`Set Link to By ID, and enter one of: ${ids}.`,
	);
}

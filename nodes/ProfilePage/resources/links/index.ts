import type { Resource } from '../../operation';
import { createLink } from './create';
import { deleteLink } from './delete';
import { getAllLinks } from './getAll';
import { linkLists } from './linkList';
import { updateLink } from './update';

/** What the profile leads to. */
export const links: Resource = {
	option: { name: 'Links', value: 'links' },
	operations: [createLink, deleteLink, getAllLinks, updateLink],
	lists: linkLists,
};

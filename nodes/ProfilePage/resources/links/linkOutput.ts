import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';

type Action = 'created' | 'updated' | 'deleted' | 'skipped' | 'unchanged';

/** Returns the output for a link, with what became of it. Fields that are undefined are left out. */
export function linkOutput(item: Item, action: Action, link: IDataObject) {
	const output: IDataObject = { ...link, action };
	const set = Object.entries(output).filter(([, value]) => value !== undefined);
	return item.output([withUsefulFirst(Object.fromEntries(set))]);
}

/** Returns the same fields, first those that workflows use most: the editor shows few columns. */
export function withUsefulFirst(link: IDataObject): IDataObject {
	const first = ['link_id', 'action', 'title', 'link'].filter((name) => Object.hasOwn(link, name));
	return { ...Object.fromEntries(first.map((name) => [name, link[name]])), ...link };
}

/** Returns a link without `meta` and fields that are not documented (docs/api.md, section 2.4). Its address and image are named as in Create. */
export function toSimpleLink(link: IDataObject): IDataObject {
	const { link_id, title, link: url, image: image_url, position, created_at } = link;
	return { link_id, title, url, image_url, position, created_at };
}

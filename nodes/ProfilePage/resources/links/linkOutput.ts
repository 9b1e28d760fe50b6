import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';

type Action = 'created' | 'updated' | 'deleted' | 'skipped' | 'unchanged';

/** Returns the output for a link, with what became of it. */
export function linkOutput(item: Item, action: Action, link: IDataObject) {
	return item.output([withUsefulFirst({ ...link, action })]);
}

/** Returns the fields that are set, first those that workflows use most: the editor shows few columns. */
export function withUsefulFirst({ link_id, action, title, link, ...others }: IDataObject): IDataObject {
	const fields = Object.entries({ link_id, action, title, link, ...others });
	return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Returns a link without `meta` and fields that are not documented (docs/api.md, section 2.4). Its address and image are named as in Create. */
export function toSimpleLink(link: IDataObject): IDataObject {
	const { link_id, title, link: url, image: image_url, position, created_at } = link;
	return { link_id, title, url, image_url, position, created_at };
}

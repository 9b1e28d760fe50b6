import type { Resource } from '../../operation';
import { reorder } from './reorder';

/** What a page is made of: titles, icons, links and so on. */
export const blocks: Resource = {
	option: { name: 'Blocks', value: 'blocks' },
	operations: [reorder],
};

import type { FastifyInstance } from 'fastify';

import { type Account, titledBlocks } from './account';
import { queryOf, readText, required } from './form';

/** The path of the list of pages. */
export const PAGES_PATH = '/oauth/v1/sandbox/pages';

/** The path of the list of a page's blocks, which takes the query `page_id`. */
export const BLOCKS_PATH = '/oauth/v1/sandbox/blocks';

/**
 * Registers lists of the pages and blocks. These endpoints are the sandbox's own: the contract names such lists, but
 * shows neither their paths nor their responses. The paths contain `sandbox`, so that they cannot be mistaken for those
 * of the service.
 */
export function registerListsApi(api: FastifyInstance, account: Account): void {
	api.get('/sandbox/pages', () => ({
		status: true,
		data: account.pages.map(({ id, title }) => ({ page_id: id, title })),
	}));

	api.get('/sandbox/blocks', (request) => {
		const pageId = required(queryOf(request), 'page_id', readText);
		return { status: true, data: titledBlocks(account.existingPage(pageId)) };
	});
}

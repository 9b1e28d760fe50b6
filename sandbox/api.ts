import type { FastifyInstance } from 'fastify';

import { type Account, type Placement, PROFILE_URL } from './account';
import { BadRequest } from './errors';
import { readForm } from './form';
import { registerLinksApi } from './linksApi';
import { registerListsApi } from './listsApi';
import type { OAuth } from './oauth/oauth';

/** Registers the API endpoints, all of which require a bearer token. */
export function registerApi(server: FastifyInstance, account: Account, oauth: OAuth): void {
	void server.register((api, _options, done) => {
		api.addHook('preHandler', async (request, reply) => {
			await oauth.authenticate(request, reply);
		});

		// Section 4.3 shows no response; this is the one of a public service with this API.
		api.get('/oauth/v1/me', ({ headers }) => ({
			status: true,
			info: {
				username: oauth.usernameOf(headers.authorization?.replace(/^Bearer /i, '') ?? ''),
				url: PROFILE_URL,
				profile_pic: null,
			},
		}));

		// Section 4.1.
		api.post('/oauth/v1/page/blocks/sort', (request) => {
			const { pageId, placements } = readReorderForm(request.body);
			const { blocks } = account.reorder(pageId, placements);
			return { status: true, data: { blocks } };
		});

		registerLinksApi(api, account);
		registerListsApi(api, account);
		done();
	});
}

function readReorderForm(body: unknown): { pageId: string; placements: Placement[] } {
	const { page_id: pageId, blocks } = readForm(body);
	if (typeof pageId !== 'string' || !pageId) throw new BadRequest('page_id is missing.');
	if (typeof blocks !== 'string') throw new BadRequest('blocks is missing.');
	return { pageId, placements: readPlacements(blocks) };
}

function readPlacements(json: string): Placement[] {
	const placements = parseJson(json);
	if (!Array.isArray(placements) || !placements.every(isPlacement)) {
		throw new BadRequest('blocks must be a JSON array of objects with "id" and "position".');
	}
	return placements;
}

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		throw new BadRequest('blocks is not valid JSON.');
	}
}

function isPlacement(value: unknown): value is Placement {
	const { id, position } = (value ?? {}) as Record<string, unknown>;
	return typeof id === 'string' && Number.isInteger(position);
}

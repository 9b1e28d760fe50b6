import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

import { type Account, type Placement, PROFILE_URL } from './account';
import { BadRequest, Forbidden, unknownPath } from './errors';
import { readForm } from './form';
import { registerLinksApi } from './linksApi';
import { registerListsApi } from './listsApi';
import type { OAuth } from './oauth/oauth';

/** Registers the API. All paths below `/oauth/v1` require a bearer token, unknown ones too. */
export function registerApi(server: FastifyInstance, account: Account, oauth: OAuth): void {
	const register: FastifyPluginCallback = (api, _options, done) => {
		api.addHook('preHandler', async (request, reply) => {
			await oauth.authenticate(request, reply);
		});

		// docs/api.md, section 4.1.
		api.get('/me', ({ headers }) => ({
			status: true,
			info: {
				username: oauth.usernameOf(headers.authorization?.replace(/^Bearer /i, '') ?? ''),
				url: PROFILE_URL,
				profile_pic: null,
			},
		}));

		// docs/api.md, section 4.2.
		api.post('/page/blocks/sort', (request) => {
			const { pageId, placements } = readReorderForm(request.body);
			const { blocks } = account.reorder(pageId, placements);
			return { status: true, data: { blocks } };
		});

		registerLinksApi(api, account);
		registerListsApi(api, account);

		// Not 404: docs/api.md, section 5.
		api.setNotFoundHandler((request) => {
			throw new Forbidden(unknownPath(request));
		});
		done();
	};
	void server.register(register, { prefix: '/oauth/v1' });
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

import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

import { type Placement, PROFILE_URL } from './account';
import { BadRequest, Forbidden, unknownPath } from './errors';
import { formOf, readText, required } from './form';
import { registerLinksApi } from './linksApi';
import { registerListsApi } from './listsApi';
import type { Service } from './service';

/** Registers the API. All paths below `/oauth/v1` require a bearer token, unknown ones too. */
export function registerApi(server: FastifyInstance, { account, oauth }: Service): void {
	const register: FastifyPluginCallback = (api, _options, done) => {
		api.addHook('preHandler', (request, _reply, next) => {
			oauth.authenticate(request);
			next();
		});

		// docs/api.md, section 4.1.
		api.get('/me', (request) => ({
			status: true,
			info: { username: oauth.authenticate(request), url: PROFILE_URL, profile_pic: null },
		}));

		// docs/api.md, section 4.2.
		api.post('/page/blocks/sort', (request) => {
			const form = formOf(request);
			const { blocks } = account.reorder(required(form, 'page_id', readText), required(form, 'blocks', readPlacements));
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

import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values';

/** Why a service rejects an access token, as it says in the header of its response. */
export interface Challenge {
	/** A code, such as insufficient_scope. */
	readonly error?: string;
	readonly description?: string;
}

/** A proxy may send longer headers. */
const MAX_LENGTH = 4000;

/** A parameter. Each character is looked at a fixed number of times. */
const PARAMETER = /(?<![\w-])(error|error_description)=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** Reads the Bearer challenge of a response (RFC 6750, section 3). The names of the headers are in lower case. */
export function readChallenge(headers: IDataObject): Challenge {
	const header = asText(headers['www-authenticate']).slice(0, MAX_LENGTH);
	if (!/^bearer\s|,\s?bearer\s/i.test(header)) return {};
	const found = [...header.matchAll(PARAMETER)].map(([, name = '', quoted, token]) => {
		const value = quoted?.replace(/\\(.)/g, '$1') ?? token;
		return [name.toLowerCase(), value] as const;
	});
	const parameters = new Map(found);
	return { error: parameters.get('error'), description: parameters.get('error_description') };
}

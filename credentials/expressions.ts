import { VALID_BASE_URL } from '../nodes/ProfilePage/service/baseUrl';

/** An unknown scheme: n8n refuses it before it sends anything, and quotes it in its message. */
const INVALID_URL = 'The-Base-URL-must-start-with-https-and-contain-no-user-name-or-query:';

const BASE_URL = '$self["baseUrl"].trim()';

/** Returns an expression for a credential field that n8n itself reads. It gives {@link INVALID_URL} if the Base URL cannot be used. */
function ifValid(value: string): string {
	return `={{ ${VALID_BASE_URL}.test(${BASE_URL}) ? ${value} : "${INVALID_URL}" }}`;
}

/** Returns the URL of a path of the service as an expression, for credential fields that n8n itself sends requests to. */
export function serviceUrlExpression(path: string): string {
	return ifValid(`${BASE_URL}.replace(/(?<!\\/)\\/+$/, "") + "${path}"`);
}

/** The host of the Base URL, for n8n's list of the domains that a credential may be used with. */
export const SERVICE_HOST_EXPRESSION = ifValid(`${BASE_URL}.split("/")[2].replace(/:\\d+$/, "")`);

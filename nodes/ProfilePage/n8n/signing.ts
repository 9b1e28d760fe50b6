import type { IHttpRequestOptions } from 'n8n-workflow';

import { isWithin, readBaseUrl } from '../service/address';
import { invalid } from '../shared/failure';
import { asText, parseUrl } from '../shared/values';
import type { CredentialData } from './app';
import { privateApp } from './privateApp';

/** A request of n8n's newer helper, or of its older one, which names some options differently. */
type SignableRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: unknown; agentOptions?: unknown };

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. If there is no token for this app, throws an error that n8n treats like a response with status 401:
 * n8n then gets a token, and signs again.
 *
 * @throws Failure if the request, which somebody may make who cannot see the credential, leads away from the service
 */
export function signRequest(data: CredentialData, request: SignableRequest): IHttpRequestOptions {
	refuseDiversion(request, readBaseUrl(data.baseUrl));
	const token = privateApp.readToken(data);
	if (!token) {
		throw Object.assign(new Error('There is no access token for this app'), { response: { status: 401 } });
	}
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${token.value}` },
		disableFollowRedirect: true,
		// The same for n8n's older request helper, which the HTTP Request node uses.
		...{ followRedirect: false, followAllRedirects: false },
	};
}

/** Throws Failure if a request would send the token to another address, through a proxy of its own, or to an unverified host. */
function refuseDiversion(request: SignableRequest, baseUrl: string): void {
	const { url, uri, baseURL, proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions } = request;
	const address = parseUrl(combine(asText(baseURL), asText(url) || asText(uri)));
	if (!address || !isWithin(baseUrl, address)) {
		const problem = 'the request does not go to the Base URL of the credential';
		throw invalid('URL', problem, 'The access token is for that service only.');
	}
	const isUnverified = skipSslCertificateValidation === true || rejectUnauthorized === false;
	if (proxy || isUnverified || Object.keys(agentOptions ?? {}).length > 0) {
		const problem = 'the access token is not sent through a proxy of the request, or without verified certificates';
		const advice = 'Use the environment of your n8n instead (HTTPS_PROXY, NODE_EXTRA_CA_CERTS).';
		throw invalid('Proxy or SSL', problem, advice);
	}
}

/** Combines an address as n8n's request helpers do (axios): not as a link, in which "https:host" may be absolute too. */
function combine(base: string, address: string): string {
	const isAbsolute = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address);
	return base === '' || isAbsolute ? address : `${base.replace(/\/?\/$/, '')}/${address.replace(/^\/+/, '')}`;
}

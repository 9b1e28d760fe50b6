import type { IHttpRequestOptions } from 'n8n-workflow';

import { serviceUrl } from '../../service/baseUrl';
import { invalid } from '../../service/failure';
import { isWithin } from '../../service/servicePath';
import { asText, parseUrl } from '../../shared/values';
import { type CredentialData, isDue } from './app';
import { privateApp } from './privateApp';

/** A request of n8n's newer helper, or of its older one, which names some options differently. */
type SignableRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: unknown; agentOptions?: unknown };

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. Throws Failed if the token could reach somebody else than the service at the Base URL. If there is
 * no token for this app, or it is due, throws an error that n8n takes for a response with status 401: n8n then gets a
 * token, and signs again.
 */
export function signRequest(data: CredentialData, request: SignableRequest): IHttpRequestOptions {
	const { host } = readAddress(request, serviceUrl(data.baseUrl, ''));
	refuseDiversion(request, host);
	const token = privateApp.readToken(data);
	if (!token || isDue(token)) {
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

/** Returns the address of a request. Throws Failed if it is not within the Base URL. */
function readAddress({ url, uri, baseURL }: SignableRequest, baseUrl: string): URL {
	const address = parseUrl(combine(asText(baseURL), asText(url || uri)));
	const isSameHost = address?.origin === parseUrl(baseUrl)?.origin;
	if (address && isSameHost && isWithin(baseUrl, address)) return address;
	const problem = isSameHost
		? 'the request goes to a path outside of the Base URL of the credential'
		: 'the request goes to a different host than the Base URL of the credential';
	throw invalid('URL', problem, 'The access token is for that service only.');
}

/** Combines an address as n8n's request helpers do (axios): not as a link, in which "https:host" may be absolute too. */
function combine(base: string, address: string): string {
	const isAbsolute = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address);
	return base === '' || isAbsolute ? address : `${base.replace(/\/?\/$/, '')}/${address.replace(/^\/+/, '')}`;
}

/** A response to others, such as TRACE, may contain the request with its token (RFC 9110, section 9.3.8). */
const METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Throws Failed if somebody who may use the credential, but not see it, could read the token on its way. */
function refuseDiversion(request: SignableRequest, host: string): void {
	const { method = 'GET', proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions, headers } = request;
	if (!METHODS.includes(asText(method).toUpperCase())) {
		const problem = 'the access token is not sent with this method, as the response could contain it';
		throw invalid('Method', problem, `Choose one of ${METHODS.join(', ')}.`);
	}
	if (proxy) {
		const advice = "Remove it: requests with this credential use the proxy of your n8n's environment (HTTPS_PROXY).";
		throw invalid('Proxy', 'the access token is not sent through a proxy of the request', advice);
	}
	const trust = 'To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.';
	if (skipSslCertificateValidation || rejectUnauthorized === false) {
		throw invalid('Ignore SSL Issues', 'the access token is not sent to a host that is not verified', trust);
	}
	if (Object.keys(agentOptions ?? {}).length > 0) {
		throw invalid('SSL Certificates', 'the access token is not sent with certificates of the request', trust);
	}
	const isOtherHost = ([name, value]: [string, unknown]) =>
		name.trim().toLowerCase() === 'host' && asText(value).trim().toLowerCase() !== host;
	if (Object.entries(headers ?? {}).some(isOtherHost)) {
		throw invalid('Headers', 'the header Host names another host than the Base URL of the credential', 'Remove it.');
	}
}

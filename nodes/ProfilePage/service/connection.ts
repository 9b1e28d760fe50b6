import { type Failure, type FailureData, requestFailure } from '../shared/failure';

const CHECK_NETWORK = 'Check the network of your n8n.';

/** Nothing reached the service. */
const NOT_APPLIED = { outcome: 'not applied' } as const;

const MAY_PASS = { passes: 'soon' } as const;

/** Why a request got no response, by the code of the error: the first that matches counts. */
const CONNECTION_FAILURES: ReadonlyArray<
	readonly [codes: RegExp, problem: string, advice?: string, more?: Partial<FailureData>]
> = [
	[
		/^ECONNREFUSED$/,
		'the service refused the connection',
		'Check the Base URL, whether the service is running, and whether a DNS filter blocks it.',
		{ ...NOT_APPLIED, ...MAY_PASS },
	],
	[/^ENOTFOUND$/, 'the host of the service was not found', 'Check the Base URL for typing errors.', NOT_APPLIED],
	[/^EAI_/, 'the DNS lookup of the service failed', CHECK_NETWORK, { ...NOT_APPLIED, ...MAY_PASS }],
	[/^E.FILE$/, 'your n8n has too many files open', 'Restart it, or raise its limit.', { ...NOT_APPLIED, ...MAY_PASS }],
	[/^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/, 'the service is unreachable', CHECK_NETWORK, MAY_PASS],
	[/^(ECONNRESET|EPIPE)$/, 'the service closed the connection before its response was complete', undefined, MAY_PASS],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'the service did not respond in time', undefined, { ...MAY_PASS, isTimeout: true }],
	[
		/CERT|SIGNATURE|ISSUER/,
		'your n8n does not trust the certificate of the service',
		'Check the Base URL, the certificate, and the clock of your n8n. To trust a certificate, set NODE_EXTRA_CA_CERTS in its environment.',
		NOT_APPLIED,
	],
	// ERR_SSL_ usually comes after the handshake: if that fails, the code is EPROTO.
	[/^ERR_SSL_/, 'the encrypted connection to the service broke', undefined, MAY_PASS],
	[
		/^(EPROTO$|ERR_TLS_)/,
		'the TLS handshake failed',
		'Check that the Base URL is an https:// address of the service.',
		NOT_APPLIED,
	],
];

const UNKNOWN: (typeof CONNECTION_FAILURES)[number] = [
	/^/,
	'the service sent no usable response',
	'Check the Base URL and the network of your n8n.',
];

/**
 * Returns the failure of a request that got no response, or none that n8n's HTTP client could read.
 *
 * @param code of the error, such as ECONNRESET; empty if there is none
 * @param isUnreached whether nothing reached the service, though the code does not say so
 */
export function connectionFailure(code: string, isUnreached = false): Failure {
	const known = CONNECTION_FAILURES.find(([codes]) => codes.test(code));
	const [, problem, advice, more] = known ?? UNKNOWN;
	// These codes say no more than the words of their row.
	const isSaid = code === '' || (known && /^E[A-Z_]+$/.test(code));
	const what = isSaid ? problem : `${problem} (${code})`;
	return requestFailure(what, advice, { ...more, ...(isUnreached && NOT_APPLIED) });
}

export function timedOut(): Failure {
	return connectionFailure('ETIMEDOUT');
}

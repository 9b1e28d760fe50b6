import { type Failure, requestFailure } from './failure';

const CHECK_NETWORK = 'Check the network of your n8n.';

/** Nothing reached the service. */
const NOT_APPLIED = { outcome: 'not applied' } as const;

const MAY_PASS = { passes: 'soon' } as const;

/** Why a request got no response, by the code of the error: the first that matches counts. */
const CONNECTION_FAILURES: ReadonlyArray<
	readonly [codes: RegExp, problem: string, advice?: string, others?: Pick<Failure, 'passes'> | typeof NOT_APPLIED]
> = [
	[
		/^ECONNREFUSED$/,
		'the service refused the connection',
		'Check the Base URL, and whether the service is running.',
		{ ...NOT_APPLIED, ...MAY_PASS },
	],
	[/^ENOTFOUND$/, 'the host of the service was not found', 'Check the Base URL for typing errors.', NOT_APPLIED],
	[/^EAI_AGAIN$/, 'the DNS lookup of the service failed', CHECK_NETWORK, NOT_APPLIED],
	[/^E(HOST|NET)UNREACH$/, 'the service is unreachable', CHECK_NETWORK],
	[/^(ECONNRESET|EPIPE)$/, 'the service closed the connection before its response was complete', undefined, MAY_PASS],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'the service did not respond in time', undefined, MAY_PASS],
	[
		/^HPE_HEADER_OVERFLOW$/,
		'the headers of the response are too large for n8n',
		'Check the Base URL, and what the service or a proxy adds to its responses.',
	],
	[/^HPE_/, 'the response is not HTTP', 'Check the Base URL: its protocol, host, and port.'],
	[/^Z_(BUF|DATA)_ERROR$/, 'the compressed response of the service is corrupt', undefined, MAY_PASS],
	// Usually after the handshake: if that fails, the code is EPROTO.
	[/^ERR_SSL_/, 'the encrypted connection to the service broke', undefined, MAY_PASS],
	[
		/^CERT_HAS_EXPIRED$/,
		'the certificate of the service has expired',
		'Have it renewed, and check the clock of your n8n.',
		NOT_APPLIED,
	],
	[
		/^CERT_NOT_YET_VALID$/,
		'the certificate of the service is not valid yet',
		'Check the clock of your n8n, and the certificate.',
		NOT_APPLIED,
	],
	[
		/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
		'the certificate of the service is self-signed',
		'Make your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.',
		NOT_APPLIED,
	],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		'the certificate of the service is for another host name',
		'Check the Base URL for typing errors.',
		NOT_APPLIED,
	],
	[
		/CERT|SIGNATURE|ISSUER/,
		'your n8n does not trust the certificate of the service',
		'Check the Base URL, and that the service sends the whole certificate chain.',
		NOT_APPLIED,
	],
	[
		/^(EPROTO$|ERR_TLS_)/,
		'the TLS handshake failed',
		'Check that the Base URL is an https:// address of the service.',
		NOT_APPLIED,
	],
];

/**
 * Returns the failure of a request that got no response.
 *
 * @param code of the error, such as ECONNRESET; empty if there is none
 */
export function connectionFailure(code: string): Failure {
	const known = CONNECTION_FAILURES.find(([codes]) => codes.test(code));
	const [, problem, advice, others] = known ?? [
		code,
		'the service could not be reached',
		'Check the Base URL and the network of your n8n.',
	];
	return requestFailure(problem, advice, { code, ...others });
}

/** The service did not respond within the time limit. */
export const TIMED_OUT = connectionFailure('ETIMEDOUT');

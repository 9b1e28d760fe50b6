import { isIP } from 'node:net';

/** A self-signed certificate and its private key, in PEM format. */
export interface Certificate {
	cert: string;
	key: string;
}

/**
 * Creates a certificate that a client can trust as it is, as its own authority.
 *
 * @param hosts the hosts that it is valid for, as in a URL
 */
export async function createCertificate(hosts: readonly string[]): Promise<Certificate> {
	// Loaded only when needed, because it takes long.
	const { generate } = await import('selfsigned');
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'Profile Page Sandbox' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		// Valid for a client whose clock is behind, too.
		notBeforeDate: new Date(Date.now() - DAY),
		notAfterDate: new Date(Date.now() + 30 * DAY),
		extensions: [
			// Not an authority: trusting it covers these hosts only.
			{ name: 'basicConstraints', cA: false, critical: true },
			{ name: 'keyUsage', digitalSignature: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{ name: 'subjectAltName', altNames: hosts.flatMap(altNames) },
		],
	});
	return { cert, key };
}

/** In milliseconds. */
const DAY = 24 * 3_600_000;

const [DNS_NAME, IP_ADDRESS] = [2, 7] as const;

function altNames(host: string) {
	const address = host.replace(/^\[|\]$/g, '');
	if (!isIP(address)) return [{ type: DNS_NAME, value: host }];
	// n8n compares the name of an IPv6 host, with its brackets, to DNS names.
	const names = host === address ? [] : [{ type: DNS_NAME, value: host }];
	return [{ type: IP_ADDRESS, ip: address }, ...names];
}

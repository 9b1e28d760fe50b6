/** A self-signed certificate and its private key, in PEM format. */
export interface Certificate {
	cert: string;
	key: string;
}

/** In milliseconds. */
const DAY = 24 * 3_600_000;

/** Creates a certificate for 127.0.0.1 that a client can trust as it is, as its own authority. */
export async function createCertificate(): Promise<Certificate> {
	// Loaded only when needed, because it takes long.
	const { generate } = await import('selfsigned');
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'Profile Page Sandbox' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY),
		// The type 7 is an IP address.
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	});
	return { cert, key };
}

/** In milliseconds. */
const DAY = 24 * 3_600_000;

const DNS_NAME = { type: 2, value: 'localhost' } as const;
const IP_ADDRESS = { type: 7, ip: '127.0.0.1' } as const;

/** Creates a self-signed certificate for this machine, and its private key, in PEM format. */
export async function createCertificate() {
	// Loaded only when needed, because it takes long.
	const { generate } = await import('selfsigned');
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'Profile Page Sandbox' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY),
		extensions: [{ name: 'subjectAltName', altNames: [DNS_NAME, IP_ADDRESS] }],
	});
	return { cert, key };
}

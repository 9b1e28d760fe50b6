const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host name of a URL refers to this machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/** The usual hosts of this machine, as in a URL. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

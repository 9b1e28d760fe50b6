import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Where the sandbox listens, and the hosts by which it is reached, as they appear in a URL. */
export interface Endpoint {
	/** The IP address to listen on. */
	address: string;
	/** Whether other machines can reach it. */
	isExposed: boolean;
	/** The hosts of its Base URLs, the best one first. */
	hosts: readonly [string, ...string[]];
	/** Every host that clients may use: {@link hosts}, this machine's names, and additional ones. */
	knownHosts: readonly string[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host name of a URL refers to this machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/** What a container calls the machine it runs on. */
const DOCKER_HOST = 'host.docker.internal';

/** The addresses that listen on all interfaces. They are not addresses to connect to. */
const UNSPECIFIED = ['0.0.0.0', '[::]'];

/**
 * Resolves the host to listen on.
 *
 * @param host an IP address or a name; an unspecified address stands for all addresses of this machine
 * @param additionalHosts more names or IP addresses by which clients reach this machine
 */
export async function resolveEndpoint(host: string, additionalHosts: readonly string[] = []): Promise<Endpoint> {
	const { address } = await lookup(host);
	const isExposed = !isLoopback(urlHost(address));
	const hosts: Endpoint['hosts'] = UNSPECIFIED.includes(urlHost(address)) ? ownHosts(isIPv6(address)) : [urlHost(host)];
	const names = isExposed ? [hostname(), DOCKER_HOST, ...additionalHosts] : additionalHosts;
	const knownHosts = [...new Set([...hosts, ...names.map(urlHost), 'localhost', '127.0.0.1', '[::1]'])];
	return { address, isExposed, hosts, knownHosts };
}

/** Returns the addresses by which other machines reach this one; a loopback address if there is none. */
function ownHosts(withIPv6: boolean): Endpoint['hosts'] {
	const external = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		.filter(({ internal, address }) => !internal && !isLinkLocal(address))
		.map(({ address }) => address);
	const ipv4 = external.filter((address) => !isIPv6(address));
	const ipv6 = withIPv6 ? external.filter(isIPv6) : [];
	const [first = '127.0.0.1', ...others] = [...ipv4, ...ipv6].map(urlHost);
	return [first, ...others];
}

/** A link-local IPv6 address needs a zone, which a URL cannot contain (RFC 4291, section 2.5.6). */
function isLinkLocal(address: string): boolean {
	return /^fe[89ab]/i.test(address);
}

/** Returns the host of a URL for a name or an IP address, normalized. */
function urlHost(host: string): string {
	const { hostname: normalized } = new URL(`http://${isIPv6(host) ? `[${host}]` : host}`);
	return normalized;
}

/** Whether a text is a host name or an IP address, and nothing else, such as a port. */
export function isHost(text: string): boolean {
	if (isIP(text) > 0) return true;
	const isName = /^[a-z\d]([\w-]*[a-z\d])?(\.[a-z\d]([\w-]*[a-z\d])?)*$/i.test(text);
	// A URL rejects names that look like IP addresses, such as 1.2.3.400.
	return isName && URL.canParse(`http://${text}`);
}

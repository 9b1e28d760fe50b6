import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
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
const UNSPECIFIED = ['0.0.0.0', '::'];

/**
 * Resolves the host to listen on.
 *
 * @param host an IP address or a name; an unspecified address stands for all addresses of this machine
 * @param additionalHosts more names or IP addresses by which clients reach this machine
 * @throws TypeError with the code ERR_INVALID_URL if one of them is no host
 */
export async function resolveEndpoint(host: string, additionalHosts: readonly string[] = []): Promise<Endpoint> {
	const { address } = await lookup(host);
	const isExposed = !isLoopback(urlHost(address));
	const hosts: Endpoint['hosts'] = UNSPECIFIED.includes(address) ? ownHosts(isIPv6(address)) : [urlHost(host)];
	const names = isExposed ? [hostname(), DOCKER_HOST, ...additionalHosts] : additionalHosts;
	const knownHosts = [...new Set([...hosts, ...names.map(urlHost), 'localhost', '127.0.0.1', '[::1]'])];
	return { address, isExposed, hosts, knownHosts };
}

/** Returns the addresses by which other machines reach this one, IPv4 first; a loopback address if there is none. */
function ownHosts(withIPv6: boolean): Endpoint['hosts'] {
	const external = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		// A link-local IPv6 address needs a zone, which a URL cannot contain (RFC 4291, section 2.5.6).
		.filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
		.map(({ address }) => address);
	const found = [...external.filter((address) => !isIPv6(address)), ...(withIPv6 ? external.filter(isIPv6) : [])];
	const [first = '127.0.0.1', ...others] = found.map(urlHost);
	return [first, ...others];
}

/** Returns the host of a URL for a name or an IP address, normalized. */
function urlHost(host: string): string {
	return new URL(`http://${isIPv6(host) ? `[${host}]` : host}`).hostname;
}

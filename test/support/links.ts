import type { Sandbox } from '../../sandbox/server';

/** Adds links to the account of a sandbox. */
export function addLinks({ account }: Sandbox, count: number): void {
	for (let index = 0; index < count; index += 1) {
		account.links.add({ title: `Link ${index}`, link: 'https://example.com/' });
	}
}

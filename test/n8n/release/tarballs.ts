/** The environment variables in which the rehearsal names the tarballs for its suites. */
const VARIABLES = { previous: 'PREVIOUS_TARBALL', next: 'NEXT_TARBALL' } as const;

export type Tarballs = Record<keyof typeof VARIABLES, string>;

export function toEnvironment({ previous, next }: Tarballs): NodeJS.ProcessEnv {
	return { [VARIABLES.previous]: previous, [VARIABLES.next]: next };
}

/** @throws Error if the suites are run by another command */
export function readTarballs(): Tarballs {
	const read = (variable: string) => {
		const tarball = process.env[variable];
		if (!tarball) throw new Error(`${variable} is not set. Run: npm run release:rehearse`);
		return tarball;
	};
	return { previous: read(VARIABLES.previous), next: read(VARIABLES.next) };
}

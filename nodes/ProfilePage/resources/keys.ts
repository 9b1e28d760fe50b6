/** The keys of calls (`Call`): calls of an account with the same key never overlap. */
export const keys = {
	/** For all creations, so that links keep their order, and none is created between a look and the creation after it. */
	links: 'links',
	link: (id: string) => `link ${id}`,
	/** Also if its page is named: two names, or a name and an ID, may be the same page. */
	page: (id: string) => `page ${id}`,
	path: (pathname: string) => `path ${pathname}`,
};

/** Time between two updates, so that open pages do not slow the service down; in milliseconds. */
const PAUSE = 200;

/**
 * JavaScript that keeps a page up to date. Each event names what has changed: the account or the
 * requests. Events during an update lead to one more update, so that a burst of requests does not cause
 * a burst of updates.
 */
export const liveScript = `
	const changed = new Set();
	let isUpdating = false;

	async function update(...names) {
		for (const name of names) changed.add(name);
		if (isUpdating) return;
		isUpdating = true;
		try {
			while (changed.size > 0) {
				const isAccountChanged = changed.has('changed');
				changed.clear();
				const text = await (await fetch(location.href)).text();
				const fresh = new DOMParser().parseFromString(text, 'text/html');
				show(fresh, 'aside');
				if (isAccountChanged) await animate(() => show(fresh, 'main'));
				await new Promise((resolve) => setTimeout(resolve, ${PAUSE}));
			}
		} catch {
			// The sandbox has stopped. The page is updated when it is back.
		} finally {
			isUpdating = false;
		}
	}

	function show(fresh, name) {
		document.querySelector(name).replaceWith(fresh.querySelector(name));
	}

	/** Changes the page, with an animation in browsers that support view transitions. */
	async function animate(change) {
		if (!document.startViewTransition) return change();
		const { ready, updateCallbackDone } = document.startViewTransition(change);
		// The animation is skipped in a hidden tab, and when the next one begins.
		ready.catch(() => undefined);
		await updateCallbackDone;
	}

	const events = new EventSource('/changes');
	events.onopen = () => update('changed', 'requests');
	events.onmessage = ({ data }) => update(data);
`;

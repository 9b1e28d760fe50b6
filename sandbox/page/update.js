/** How often the page looks for changes, in milliseconds. */
const INTERVAL = 500;

const shown = new Map();
document.querySelectorAll('[data-live]').forEach(keep);

/** Remembers what a part shows, and names its blocks and links, so that the browser shows how they move. */
function keep(part) {
	shown.set(part.id, part.outerHTML);
	for (const element of part.querySelectorAll('[data-moves]')) {
		element.style.viewTransitionName = CSS.escape(element.dataset.moves);
	}
}

/** Fetches the page again, and replaces the parts that have changed. */
async function update() {
	const text = await (await fetch(location.href)).text();
	const parts = [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('[data-live]')];
	const changed = parts.filter(({ id, outerHTML }) => shown.get(id) !== outerHTML);
	const replace = () => changed.forEach((part) => (document.getElementById(part.id).replaceWith(part), keep(part)));
	const isMoving = changed.some(({ id }) => id === 'profile');
	// The browser skips the animation in a hidden tab.
	if (isMoving && document.startViewTransition) document.startViewTransition(replace).ready.catch(() => undefined);
	else replace();
}

// While the sandbox is stopped, the page stays as it is.
if (shown.size > 0) setInterval(() => update().catch(() => undefined), INTERVAL);

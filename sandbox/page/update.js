/** Fetches the page again, and replaces the parts that have changed. */
async function update() {
	const text = await (await fetch(location.href)).text();
	for (const part of new DOMParser().parseFromString(text, 'text/html').querySelectorAll('[data-live]')) {
		const shown = document.getElementById(part.id);
		if (shown.outerHTML !== part.outerHTML) shown.replaceWith(part);
	}
}

// The consent page has no such parts. While the sandbox is stopped, the page stays as it is.
if (document.querySelector('[data-live]')) setInterval(() => update().catch(() => undefined), 500);

/** Time between two updates, so that open pages do not slow the service down; in milliseconds. */
const PAUSE = 200;

// Updates: the page is fetched again after each event, and the parts that differ are replaced. Events during an
// update lead to one more update, so that a burst of requests does not cause a burst of updates.

const parts = [...document.querySelectorAll('[data-live]')];
const shown = new Map(parts.map((part) => [part.id, part.outerHTML]));
let isChanged = false;
let isUpdating = false;

async function update() {
	isChanged = true;
	if (isUpdating) return;
	isUpdating = true;
	try {
		while (isChanged) {
			isChanged = false;
			const text = await (await fetch(location.href)).text();
			await show(new DOMParser().parseFromString(text, 'text/html'));
			await new Promise((resolve) => setTimeout(resolve, PAUSE));
		}
	} catch {
		// The sandbox has stopped. The page is updated when it is back.
	} finally {
		isUpdating = false;
	}
}

async function show(fresh) {
	const differing = [...fresh.querySelectorAll('[data-live]')].filter(
		({ id, outerHTML }) => shown.get(id) !== outerHTML,
	);
	const isMoving = differing.some(({ id }) => id === 'profile');
	if (differing.length > 0) await animate(() => differing.forEach(replace), isMoving);
}

/** Replaces a part of the page. The focus stays where it is. */
function replace(part) {
	shown.set(part.id, part.outerHTML);
	const old = document.getElementById(part.id);
	const index = focusable(old).indexOf(document.activeElement);
	old.replaceWith(part);
	focusable(part)[index]?.focus({ preventScroll: true });
	nameMoves(part);
}

function focusable(part) {
	return [...part.querySelectorAll('a, button, input')];
}

/** Gives each block and link of the profile a name, so that the browser animates where it moves. */
function nameMoves(part) {
	for (const element of part.querySelectorAll('[data-moves]')) {
		element.style.viewTransitionName = CSS.escape(element.dataset.moves);
	}
}

/** Changes the page, with an animation in browsers that support view transitions. */
async function animate(change, isMoving) {
	if (!isMoving || !document.startViewTransition) return change();
	const { ready, updateCallbackDone } = document.startViewTransition(change);
	// The animation is skipped in a hidden tab, and when the next one begins.
	ready.catch(() => undefined);
	await updateCallbackDone;
}

nameMoves(document);
const events = new EventSource('/changes');
events.onopen = update;
events.onmessage = update;

// Forms: sent without loading the page anew.

document.addEventListener('submit', async (event) => {
	event.preventDefault();
	const form = event.target;
	const response = await fetch(form.action, {
		method: 'POST',
		body: new URLSearchParams(new FormData(form, event.submitter)),
	});
	if (response.ok) form.reset();
	else say((await response.json()).errors[0]);
});

// Buttons that copy.

document.addEventListener('click', async ({ target }) => {
	const button = target.closest('[data-copy]');
	if (!button) return;
	await copy(button.dataset.copy);
	say('Copied');
});

async function copy(text) {
	// Browsers offer the clipboard only to https and to this machine.
	if (navigator.clipboard) return await navigator.clipboard.writeText(text);
	const field = document.createElement('textarea');
	field.value = text;
	document.body.append(field);
	field.select();
	document.execCommand('copy');
	field.remove();
}

const message = document.querySelector('[role=status]');
let hiding;

/** Shows a message for a moment. */
function say(text) {
	message.textContent = text;
	clearTimeout(hiding);
	hiding = setTimeout(() => (message.textContent = ''), 2000);
}

// The clock. The page is updated when the next schedule begins or ends.

setInterval(() => {
	const { elements } = document.querySelector('.clock');
	const clock = document.querySelector('.clock time');
	const now = new Date(Date.now() + Number(clock.dataset.offset));
	clock.textContent = now.toISOString().slice(0, 19) + '+00:00';
	if (now >= Date.parse(elements.until?.value)) update();
}, 1000);

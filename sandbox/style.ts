/** The CSS of all pages. Texts have a contrast of at least 4.5 in both color schemes (WCAG 2.2, AA). */
export const style = `
	:root { color-scheme: light dark; --background: #f5f5fb; --card: #fff; --text: #1e1b4b;
		--muted: #595f6e; --link: #4338ca; --line: #d9daf0; --title: #818cf8; --icons: #f59e0b;
		--mark: #fef3c7; --on-mark: #854d0e; --ok: #166534; --rejected: #92400e; --failed: #b91c1c; }
	@media (prefers-color-scheme: dark) {
		:root { --background: #13122a; --card: #1f1d3d; --text: #e7e7fb; --muted: #a9abc8; --link: #a5b4fc;
			--line: #34325a; --mark: #463509; --on-mark: #fcd34d; --ok: #86efac; --rejected: #fcd34d;
			--failed: #fca5a5; }
	}
	* { box-sizing: border-box; }
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 2rem;
		background: var(--background); color: var(--text); }
	a { color: var(--link); }
	nav { font-size: .9rem; }
	h1 { font-size: 1.5rem; line-height: 1.3; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
	h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; overflow-wrap: anywhere; }
	h2 a { color: inherit; }
	small, .changed, .empty, .hint { color: var(--muted); font-size: .85rem; font-weight: normal; }
	.changed, .empty, .hint { margin: .25rem 0; }
	ul, ol { list-style: none; margin: 0; padding: 0; }
	ol { list-style: decimal; padding-left: 2rem; }
	ol li::marker { color: var(--muted); font-variant-numeric: tabular-nums; }
	ol li, .links li { margin: .5rem 0; padding: .6rem 1rem; border-radius: .6rem; background: var(--card);
		border-left: .35rem solid var(--title); overflow-wrap: anywhere; }
	ol li.BLOCK_ICONS { border-left-color: var(--icons); }
	.links :is(.scheduled, .ended) { border-left-color: var(--line); }
	.links :is(.scheduled, .ended), .links :is(.scheduled, .ended) a, .links li p { color: var(--muted); }
	.links li p { margin: 0; font-size: .85rem; clear: both; }
	ol li span, .links li span { float: right; color: var(--muted); font-size: .85rem; line-height: 1.75; }
	ol li::after { content: ''; display: block; clear: both; }
	code { font-size: .9em; }
	em { margin-left: .25rem; padding: .1rem .5rem; border-radius: 1rem; background: var(--mark); color: var(--on-mark);
		font-size: .8rem; font-style: normal; white-space: nowrap; }
	li > small { margin-left: .25rem; }
	main p { overflow-wrap: anywhere; }
	form { padding: 1rem 1.3rem; border-radius: .6rem; background: var(--card); }
	form.clock { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: end;
		margin: .5rem 0; padding: .6rem 1rem; font-size: .9rem; }
	form.clock time { flex: 1; font-variant-numeric: tabular-nums; white-space: nowrap; }
	form.clock button { padding: .15rem .6rem; font-size: .85rem; }
	form.add { margin: .75rem 0; }
	form.add h2 { margin-top: 0; }
	label { display: block; margin-bottom: 1rem; }
	input, button { font: inherit; color: inherit; background: var(--card); padding: .4rem .8rem;
		border-radius: .4rem; border: 1px solid var(--title); }
	input { display: block; width: 100%; }
	button { cursor: pointer; }
	button:hover { background: var(--background); }
	button.main { background: #4f46e5; border-color: #4f46e5; color: #fff; }
	[role=alert] { color: var(--failed); }
	table { width: 100%; border-collapse: collapse; border-radius: .6rem; overflow: hidden;
		background: var(--card); font-size: .85rem; font-variant-numeric: tabular-nums; }
	th, td { padding: .4rem .35rem; text-align: left; vertical-align: top; }
	:is(th, td):first-child { padding-left: 1rem; color: var(--muted); }
	:is(th, td):last-child { padding-right: 1rem; text-align: right; }
	th { color: var(--muted); font-weight: normal; }
	td { border-top: 1px solid var(--line); }
	td { white-space: nowrap; }
	td:nth-child(2) { width: 100%; white-space: normal; overflow-wrap: anywhere; }
	td.ok { color: var(--ok); }
	td.rejected { color: var(--rejected); font-weight: 600; }
	td.failed { color: var(--failed); font-weight: 600; }
	@media (prefers-reduced-motion) {
		::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) {
			animation: none !important; }
	}
	@media (max-width: 36rem) {
		ol li span, .links li span { float: none; display: block; }
		thead { display: none; }
		tr { display: grid; grid-template-columns: auto 1fr auto; padding: .5rem 1rem;
			border-bottom: 1px solid var(--line); }
		tr td { padding: 0 .75rem 0 0; border: 0; }
		tr td:first-child, tr td:last-child { padding: 0 .75rem 0 0; }
		tr td:nth-child(2) { grid-area: 1 / 1 / 2 / 4; }
	}
	@media (min-width: 70rem) {
		.wide { display: grid; grid-template: auto auto 1fr / 1fr 1fr; column-gap: 2rem; max-width: 84rem; }
		.wide h1 { grid-column: 1 / 3; }
		.wide :is(main, form) { grid-column: 1; }
		.wide aside { grid-area: 2 / 2 / 4; }
		.wide .pages li:first-child h2, .wide aside h2 { margin-top: 0; }
	}
`;

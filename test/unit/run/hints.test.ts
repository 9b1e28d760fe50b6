import fc from 'fast-check';
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { Ledger } from '../../../nodes/ProfilePage/run/ledger';
import { showHints } from '../../../nodes/ProfilePage/run/report';
import { done } from '../../../nodes/ProfilePage/service/failure';

/** Returns what n8n gets to show for successes with these warnings. */
function hintsFor(...warnings: string[]): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const context = { addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint) } as unknown as IExecuteFunctions;
	const ledger = new Ledger();
	const call = { inputs: [{ index: 0 }] } as unknown as Call;
	ledger.add(call, done({ items: [], warnings, notes: [] }));
	showHints(context, [call], ledger);
	return hints;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

describe('A hint, which n8n shows as HTML,', () => {
	test('shows the markup in an ID as text', () => {
		expect(hintsFor('Page "<a href=//evil.example>Sign in & go</a>"')).toEqual([
			{ message: 'Page "&lt;a href=//evil.example&gt;Sign in &amp; go&lt;/a&gt;"', type: 'warning' },
		]);
	});

	test('shows any text as it is, without tags', () => {
		const character = fc.oneof(fc.constantFrom('<', '>', '&', '"', ';', '&lt;', '&amp;', '<img src=x>'), fc.string());
		const text = fc.array(character).map((parts) => parts.join(''));
		fc.assert(
			fc.property(text, (given) => {
				const [{ message }] = hintsFor(given) as [NodeExecutionHint];
				expect(message).not.toMatch(/[<>]/);
				expect(message.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]!)).toBe(given);
				expect(message).not.toMatch(/&(?!(?:amp|lt|gt);)/);
			}),
		);
	});
});

import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type Failure, invalid } from '../shared/failure';
import { isBlank, quotable } from '../shared/values';
import { findInserted, followPath, type Inserted, type Kind, kindOf } from './expression';

/** What n8n writes into a text for an object, or for a date that is none. */
export const NO_TEXT = /\[object |Invalid Date/;

/** What was entered in a field, and its value for an item. */
export class Entered {
	constructor(
		readonly item: { readonly context: IExecuteFunctions; evaluate(expression: string): unknown },
		readonly shown: INodeProperties,
		/** With expressions as text. */
		readonly raw: unknown,
		readonly value: unknown,
	) {}

	get kind(): Kind {
		return kindOf(this.raw);
	}

	/** Whether an expression found nothing, which usually means a misspelt property. Alone, it may return an empty text on purpose. */
	get isMissing(): boolean {
		return this.value === undefined || this.value === null || (this.kind === 'template' && isBlank(this.value));
	}

	/** Returns why the value is not what was meant, whatever the field is for; undefined if nothing is known to be wrong. */
	get problem(): Failure | undefined {
		const { displayName } = this.shown;
		if ([this.raw].flat().some((each) => kindOf(each) === 'unfinished')) {
			const advice = 'Switch the field to Expression. An expression ends with "}}".';
			return invalid(displayName, 'the text contains "{{", but is not an expression', advice);
		}
		if (this.isMissing) return noValue(displayName);
		if (typeof this.value !== 'string' || !NO_TEXT.test(this.value)) return undefined;
		// The same words may come from data.
		const found = this.inserted.find(({ value }) => NO_TEXT.test(String(value)) && typeof value === 'object');
		return found && notText(displayName, `the expression ${quotable(found.expression)}`);
	}

	/** The expressions inside a text. */
	get inserted(): Inserted[] {
		return findInserted(this.raw, (expression) => this.item.evaluate(expression));
	}

	/**
	 * Returns what was entered in a field inside this one, which n8n stores only if it was added. `names` lead to it; `raw` is
	 * given if this field is an expression itself.
	 */
	at(names: readonly string[], shown: INodeProperties, raw = followPath(this.raw, names)): Entered {
		const value = followPath(this.value, names) ?? (kindOf(raw) === 'fixed' ? shown.default : undefined);
		return new Entered(this.item, shown, raw, value);
	}
}

/** Returns the failure of an expression that returns nothing. */
export function noValue(displayName: string, expression = 'the expression'): Failure {
	return invalid(displayName, `${expression} returns no value`, 'Check the names in it.');
}

/** Returns the failure of an expression that puts something else than text or a number into a text. */
export function notText(displayName: string, expression: string): Failure {
	return invalid(displayName, `${expression} returns something that a text cannot contain`, 'Check the expression.');
}

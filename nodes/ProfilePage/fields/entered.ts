import { type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { type Failure, invalid } from '../shared/failure';
import { isBlank, quotable } from '../shared/values';
import { findInserted, followPath, type Inserted, isTemplate, isUnfinished } from './expression';

/** What n8n writes into a text for an object, or for a date that is none. */
const INSERTED = /\[object |Invalid Date/;

/** What was entered in a field, and its value for an item. */
export class Entered {
	constructor(
		readonly item: { readonly context: IExecuteFunctions; readonly index: number },
		readonly shown: INodeProperties,
		/** With expressions as text. */
		readonly raw: unknown,
		readonly value: unknown,
	) {}

	/** Whether an expression found nothing, which usually means a misspelt property. Alone, it may return an empty text on purpose. */
	get isMissing(): boolean {
		return this.value === undefined || this.value === null || (isTemplate(this.raw) && isBlank(this.value));
	}

	/** Returns why the value is not what was meant, whatever the field is for; undefined if nothing is known to be wrong. */
	get problem(): Failure | undefined {
		const { displayName } = this.shown;
		if ([this.raw].flat().some(isUnfinished)) {
			const advice = 'Switch the field to Expression. An expression ends with "}}".';
			return invalid(displayName, 'the text contains "{{", but is not an expression', advice);
		}
		if (this.isMissing) return noValue(displayName);
		if (typeof this.value !== 'string' || !INSERTED.test(this.value)) return undefined;
		// The same words may come from data.
		const found = this.inserted.find(({ value }) => INSERTED.test(String(value)) && typeof value === 'object');
		return found && notText(displayName, found);
	}

	/** The expressions inside a text. */
	get inserted(): Inserted[] {
		const { context, index } = this.item;
		return findInserted(this.raw, (expression) => context.evaluateExpression(expression, index));
	}

	/**
	 * Returns what was entered in a field inside this one, which n8n stores only if it was added.
	 *
	 * @param names those that lead to it
	 * @param raw if this field is an expression itself
	 */
	at(names: readonly string[], shown: INodeProperties, raw = followPath(this.raw, names)): Entered {
		const value = followPath(this.value, names) ?? (isExpression(raw) ? undefined : shown.default);
		return new Entered(this.item, shown, raw, value);
	}
}

/** Returns the failure of an expression that returns nothing. `isOptional` says that an empty text is allowed. */
export function noValue(displayName: string, isOptional = false, expression = 'the expression'): Failure {
	const ifOptional =
		' To leave the field empty, use {{ $json.name ?? "" }} with the name of your field, and nothing around it.';
	return invalid(
		displayName,
		`${expression} returns no value`,
		`Check the names in it.${isOptional ? ifOptional : ''}`,
	);
}

/** Returns the failure of an expression that puts something else than text or a number into a text. */
export function notText(displayName: string, { expression }: Inserted): Failure {
	const problem = `the expression ${quotable(expression)} returns something that a text cannot contain`;
	return invalid(displayName, problem, 'Check the expression.');
}

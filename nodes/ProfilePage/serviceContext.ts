import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** What n8n gives to whoever calls the service: a node that runs, or a list that the editor loads. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions;

/** @returns the signal that comes when the execution is stopped; a list can't be stopped */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

import type { INodeCredentialsDetails } from 'n8n-workflow';

import type { WorkflowFile } from './runWorkflow';

/** Selects a credential in every node of this package, as a user does after importing a workflow. */
export function useCredential(file: WorkflowFile, type: string, reference: INodeCredentialsDetails): WorkflowFile {
	const nodes = file.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-profile-page.') ? { ...node, credentials: { [type]: reference } } : node,
	);
	return { ...file, nodes };
}

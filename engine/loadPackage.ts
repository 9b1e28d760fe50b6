import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { oAuth2Api } from './oAuth2Api';
import { describePlainNode } from './plainNode';

/** The built package, as n8n holds it once it is loaded. */
export interface LoadedPackage {
	nodeTypes: INodeTypes;
	credentialType(name: string): ICredentialType;
}

/** A node that only hands its items on, to stand in for n8n's own in workflows that are run here. */
function passThrough(name: string, isTrigger: boolean): INodeType {
	return {
		description: describePlainNode(name, isTrigger ? { group: ['trigger'], inputs: [] } : {}),
		execute() {
			return Promise.resolve([this.getInputData()]);
		},
	};
}

const STAND_INS: Readonly<Record<string, INodeType>> = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', true),
	'n8n-nodes-base.noOp': passThrough('noOp', false),
	'n8n-nodes-base.stickyNote': passThrough('stickyNote', true),
};

/**
 * Loads the package from its folder with n8n's own loader, which reads `package.json` and the files
 * in `dist/` that it names.
 */
export async function loadPackage(folder = path.resolve(__dirname, '..')): Promise<LoadedPackage> {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();

	function find(type: string): INodeType | IVersionedNodeType {
		const standIn = STAND_INS[type];
		if (standIn) return standIn;
		const [packageName, name = ''] = type.split('.');
		if (packageName !== loader.packageName) throw new Error(`Unknown node type: ${type}`);
		return loader.getNode(name).type;
	}

	return {
		nodeTypes: {
			getByName: find,
			getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(find(type), version),
			getKnownTypes: () => loader.known.nodes,
		},
		credentialType: (name) =>
			name === oAuth2Api.name ? oAuth2Api : loader.getCredential(name).type,
	};
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { oAuth2Api } from './oAuth2Api';
import { describePlainNode } from './plainNode';

/** The node and credential types of the built package. */
export interface LoadedPackage {
	nodeTypes: INodeTypes;
	credentialType(name: string): ICredentialType;
}

/** A node to start from, of n8n-nodes-base, which is not installed. */
const manualTrigger: INodeType = {
	description: describePlainNode('manualTrigger', { group: ['trigger'], inputs: [] }),
	execute() {
		return Promise.resolve([this.getInputData()]);
	},
};

/**
 * Loads the built package with n8n's own loader, which follows the `n8n` section of `package.json`.
 *
 * @throws Error if dist/ is older than the source
 */
export async function loadPackage(folder = path.resolve(__dirname, '..')): Promise<LoadedPackage> {
	checkBuild(folder);
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();

	function find(type: string): INodeType | IVersionedNodeType {
		if (type === 'n8n-nodes-base.manualTrigger') return manualTrigger;
		const [packageName, name = ''] = type.split('.');
		if (packageName !== loader.packageName) throw new Error(`Unknown node type: ${type}`);
		// As a tool of an AI agent, a node has another type, but the same code.
		return loader.getNode(name.replace(/Tool$/, '')).type;
	}

	return {
		nodeTypes: {
			getByName: find,
			getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(find(type), version),
			getKnownTypes: () => loader.known.nodes,
		},
		credentialType: (name) => (name === oAuth2Api.name ? oAuth2Api : loader.getCredential(name).type),
	};
}

function checkBuild(folder: string): void {
	const source = Math.max(...['credentials', 'nodes'].map((name) => newest(path.join(folder, name))));
	if (newest(path.join(folder, 'dist')) < source) {
		throw new Error('dist/ is older than its source. Run: npm run build');
	}
}

/** Returns the latest modification time of the files in a folder; 0 if the folder does not exist. */
function newest(folder: string): number {
	if (!existsSync(folder)) return 0;
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return Math.max(0, ...files.map((file) => statSync(path.join(folder, file)).mtimeMs));
}

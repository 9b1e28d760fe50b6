import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { oAuth2Api } from './oAuth2Api';
import { standIns } from './standIns';

/** The built package, as n8n holds it once it is loaded. */
export interface LoadedPackage {
	nodeTypes: INodeTypes;
	credentialType(name: string): ICredentialType;
}

/**
 * Loads the package from its folder with n8n's own loader, which reads `package.json` and the files
 * in `dist/` that it names.
 */
export async function loadPackage(folder = path.resolve(__dirname, '..')): Promise<LoadedPackage> {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();

	function find(type: string): INodeType | IVersionedNodeType {
		const standIn = standIns[type];
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

import { existsSync, readdirSync, statSync } from 'node:fs';
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
 *
 * @throws Error if a source file is newer than what was built of it
 */
export async function loadPackage(folder = path.resolve(__dirname, '..')): Promise<LoadedPackage> {
	seeThatItIsBuilt(folder);
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

function seeThatItIsBuilt(folder: string): void {
	const source = Math.max(
		...['credentials', 'nodes'].map((name) => newest(path.join(folder, name))),
	);
	if (newest(path.join(folder, 'dist')) < source) {
		throw new Error('dist/ is older than its source. Run: npm run build');
	}
}

/** @returns when the newest file of a folder was changed; 0 if there is no such folder */
function newest(folder: string): number {
	if (!existsSync(folder)) return 0;
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return Math.max(0, ...files.map((file) => statSync(path.join(folder, file)).mtimeMs));
}

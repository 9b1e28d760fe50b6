import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** The newest rules of n8n: its scan, which `npm run check` runs too, has an older version of this plugin. */
const scanned = [
	n8nCommunityNodesPlugin.configs.recommended,
	...(await buildScanConfig()).filter(({ plugins = {} }) => !('@n8n/community-nodes' in plugins)),
];

/** What the scan of n8n's verification lints. */
const shipped = ['package.json', 'nodes/**/*.{ts,json}', 'credentials/**/*.{ts,json}'];
const typeScript = ['**/*.ts'];

const NODE = 'nodes/ProfilePage';

/** The folders of the node. Each may import itself and those after it (docs/architecture.md). */
const layers = ['run', 'trigger', 'resources', 'fields', 'n8n', 'service', 'shared'];

/** The zones in which imports would go the other way. `credentials/` stands above `n8n/`. */
const importZones = [
	{ target: 'credentials', except: layers.slice(layers.indexOf('n8n')) },
	...layers.map((layer, index) => ({ target: `${NODE}/${layer}`, except: layers.slice(index) })),
	{ target: `${NODE}/run`, except: layers.filter((layer) => layer !== 'trigger') },
].map(({ target, except }) => ({
	target,
	from: NODE,
	except: except.map((layer) => `./${layer}`),
}));

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', '.stryker/', '**/node_modules/'] },
	...scanned.map((config) => ({ ...config, files: config.files ?? shipped })),
	{
		files: typeScript,
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		rules: {
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
		},
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			'@typescript-eslint/no-non-null-assertion': 'off',
			// n8n's own HTTP Request node still uses the older request helper.
			'@typescript-eslint/no-deprecated': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { 'import-x': importX, regexp },
		settings: {
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })],
		},
		rules: {
			'import-x/no-cycle': 'error',
			'import-x/order': [
				'error',
				{
					groups: ['builtin', 'external', ['parent', 'sibling']],
					'newlines-between': 'always',
					alphabetize: { order: 'asc', caseInsensitive: true },
					named: { enabled: true, types: 'mixed' },
				},
			],
			'import-x/no-restricted-paths': ['error', { zones: importZones }],
			// Texts from the service, from items and from fields may have any length.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
	},
	{
		// What n8n does in its own way, and what changes with its next version, is in few places.
		files: ['nodes/ProfilePage/{run,trigger,service,shared}/**/*.ts', 'nodes/ProfilePage/resources/*/**/*.ts'],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{ paths: [{ name: 'n8n-workflow', allowTypeImports: true, message: 'Use n8n/ or fields/.' }] },
			],
		},
	},
);

import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** What the scan of n8n's verification lints, with the very rules that it applies. */
const shipped = ['package.json', 'nodes/**/*.{ts,json}', 'credentials/**/*.{ts,json}'];
const typeScript = ['**/*.ts'];

const NODE = 'nodes/ProfilePage';

/** What the files of a folder may import of the node: imports go one way (docs/architecture.md). */
const mayImport = {
	credentials: ['oauth', 'shared'],
	[`${NODE}/shared`]: ['shared'],
	[`${NODE}/oauth`]: ['oauth', 'shared'],
	[`${NODE}/fields`]: ['fields', 'shared'],
	[`${NODE}/transport`]: ['transport', 'oauth', 'shared'],
	[`${NODE}/execution`]: ['execution', 'operation.ts', 'fields', 'transport', 'shared'],
	[`${NODE}/resources`]: [
		'resources',
		'operation.ts',
		'execution/options.ts',
		'fields',
		'transport',
		'shared',
	],
	[`${NODE}/trigger`]: ['trigger', 'resources', 'execution/nodeErrors.ts', 'transport', 'shared'],
};

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', '.stryker/', '**/node_modules/'] },
	...(await buildScanConfig()).map((config) => ({ ...config, files: config.files ?? shipped })),
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
		plugins: { 'import-x': importX },
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
			'import-x/no-restricted-paths': [
				'error',
				{
					zones: Object.entries(mayImport).map(([folder, except]) => ({
						target: folder,
						from: NODE,
						except: except.map((name) => `./${name}`),
					})),
				},
			],
		},
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
	},
);

import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import tseslint from 'typescript-eslint';

/** What the scan of n8n's verification lints, with the very rules that it applies. */
const shipped = ['package.json', 'nodes/**/*.{ts,json}', 'credentials/**/*.{ts,json}'];
const typeScript = ['**/*.ts'];

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
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
	},
);

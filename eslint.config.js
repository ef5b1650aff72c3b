import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['dist', 'dist.*', 'coverage', '.evenkeel']),
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // One program for all files costs a sixth less than the editors' service, which opens them one by one.
    languageOptions: { parserOptions: { project: ['tsconfig.json', 'src/web/tsconfig.json'] } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SwitchStatement:not(:has(> SwitchCase[test=null]))',
          message: 'End it with "default: … satisfies never".',
        },
      ],
    },
  },
  {
    // Chai's assertions are getters, and mocha's callbacks use `this`.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Only the edge ends the process and paints colours.
    files: ['src/**/*.{ts,tsx}', 'modules/**/*.ts'],
    ignores: ['src/main.ts', 'src/report/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'exit', message: 'Return an exit code; main ends the process.' },
      ],
      'no-restricted-imports': ['error', { paths: [{ name: 'picocolors', message: 'Only src/report paints.' }] }],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        URL: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
);

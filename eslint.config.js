import tseslint from 'typescript-eslint'

/** There is one clock (ADR 0001). */
const readsOwnTime = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: "Read the time from chassis' clock.",
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Read the time from chassis' clock.",
  },
]
/** A store's functions run its statements; nobody else sees one. */
const runsStatement = {
  selector: "CallExpression[callee.property.name='query']",
  message: 'Call a function of a file named store.ts or …-store.ts: nothing else runs a statement.',
}

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', '.data', '**/*.js', '**/*.cjs', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['**/store.ts', '**/*-store.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@causeway/chassis',
              importNames: ['queryMany', 'queryOne', 'queryNone'],
              message: 'Only files named store.ts or …-store.ts declare statements.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/tests/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: [
      'scripts/**/*.ts',
      'packages/dev-env/**/*.ts',
      'bench/**/*.ts',
      'tests/proofs/*.ts',
      '**/examples/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/src/**/*.ts'],
    ignores: ['**/{,access-}config.ts', '**/*.test.ts', '**/testing/**', 'bench/**', 'packages/dev-env/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only config.ts reads the environment.' },
        {
          object: 'AbortSignal',
          property: 'any',
          message:
            'It leaves something at a signal that lives long: make one of your own, and end it with the call.',
        },
      ],
      'no-restricted-syntax': ['error', ...readsOwnTime],
    },
  },
  // After the block above, whose rule of the same name it takes the place of.
  {
    files: ['services/*/src/**/*.ts', 'packages/*/src/**/*.ts'],
    ignores: [
      '**/{,access-}config.ts',
      '**/*.test.ts',
      '**/store.ts',
      '**/*-store.ts',
      'packages/{chassis,dev-env}/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...readsOwnTime, runsStatement] },
  },
  // Operators' commands are processes of their own, as a service's main.ts is: they read their settings and print.
  {
    files: ['services/*/src/**/*-command.ts'],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
)

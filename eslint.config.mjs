import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** What each kind of project may import of ours. Anything not listed is refused. */
const mayImport = [
  // what services say to each other: stands on nothing of ours
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:contracts'] },
  { sourceTag: 'type:messaging', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform'] },
  // the outbox relay publishes through messaging
  { sourceTag: 'type:persistence', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:messaging'] },
  { sourceTag: 'type:models', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform'] },
  { sourceTag: 'type:vectors', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform'] },
  // starts servers; knows nothing of Loci
  { sourceTag: 'type:runtime', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:contracts', 'type:runtime'] },
  // the public wire only: owns no data
  { sourceTag: 'scope:gateway', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:messaging'] },
  {
    sourceTag: 'scope:service',
    onlyDependOnLibsWithTags: [
      'type:contracts',
      'type:platform',
      'type:messaging',
      'type:persistence',
      'type:models',
      'type:vectors',
    ],
  },
  { sourceTag: 'scope:standalone', onlyDependOnLibsWithTags: ['type:runtime', 'type:contracts', 'type:platform'] },
];

const ban = (files, groups, reason) => ({
  files,
  ignores: ['**/*.spec.ts'],
  rules: {
    'no-restricted-imports': ['error', { patterns: [{ group: groups, message: reason }] }],
  },
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.loci/**', '**/*.generated.*'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints: mayImport, allow: [], checkDynamicDependenciesExceptions: [] }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // a suite of tests is one long function by nature
    files: ['**/*.spec.ts', '**/*.contract-suite.ts', 'e2e/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  ban(
    ['libs/contracts/**/*.ts'],
    ['@nestjs/*', 'typeorm', '@nats-io/*', '@qdrant/*', 'fastify', 'pg'],
    'Contracts are plain shapes: no framework, no driver.',
  ),
  ban(
    ['apps/gateway/**/*.ts'],
    ['typeorm', 'pg', '@qdrant/*'],
    'The gateway owns no data: ask the service that does, over NATS.',
  ),
  ban(
    ['apps/*-service/**/*.ts'],
    ['fastify', '@nestjs/platform-fastify'],
    'Only the gateway speaks HTTP to clients.',
  ),
  ban(
    ['apps/*-service/src/**/*.service.ts', 'apps/*-service/src/**/*.controller.ts'],
    ['typeorm', 'pg', '@nats-io/*', '@qdrant/*', '**/*.entity.js'],
    'Use cases know ports, not drivers: put this in the adapter.',
  ),
);

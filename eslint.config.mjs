import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** What each kind of project may import of ours. Anything not listed is refused. */
const MAY_IMPORT = {
  // what services say to each other: stands on nothing of ours
  'type:contracts': [],
  'type:platform': ['type:contracts'],
  'type:messaging': ['type:contracts', 'type:platform'],
  // the outbox relay publishes through messaging
  'type:persistence': ['type:contracts', 'type:platform', 'type:messaging'],
  'type:models': ['type:contracts', 'type:platform'],
  // what every service knows of the control plane
  'type:registry': ['type:contracts', 'type:platform', 'type:messaging', 'type:models'],
  'type:vectors': ['type:contracts', 'type:platform'],
  // keeps vectors in line with tables, and moves them between embedders
  'type:indexing': [
    'type:contracts',
    'type:platform',
    'type:messaging',
    'type:persistence',
    'type:models',
    'type:registry',
    'type:vectors',
  ],
  // how hits are joined and scored: pure functions
  'type:retrieval': [],
  // starts servers; knows nothing of Loci
  'type:runtime': [],
  'type:testing': ['type:contracts', 'type:platform', 'type:runtime'],
  'type:bench': ['type:runtime', 'type:testing', 'type:models', 'type:retrieval', 'type:vectors'],
  // speaks the public wire: knows the document, and nothing of ours
  'type:client': [],
  // what a framework sees of the client
  'type:adapter': ['type:client'],
  // the public wire only: owns no data
  'scope:gateway': ['type:contracts', 'type:platform', 'type:messaging'],
  'scope:service': [
    'type:contracts',
    'type:platform',
    'type:messaging',
    'type:persistence',
    'type:models',
    'type:registry',
    'type:vectors',
    'type:indexing',
    'type:retrieval',
  ],
  // reaches the services as processes, never as modules
  'scope:standalone': ['type:runtime', 'type:platform'],
  // a client of a running Loci
  'scope:mcp-stdio': [],
  // a page for browsers: another client
  'scope:console': ['type:client'],
  // what checks, generates and deploys; no program imports it
  'type:tools': [
    'type:contracts',
    'type:platform',
    'type:messaging',
    'type:models',
    'type:runtime',
    'scope:standalone',
  ],
  // the whole product from outside: its wire, its servers, its processes
  'type:e2e': [
    'type:contracts',
    'type:platform',
    'type:messaging',
    'type:models',
    'type:vectors',
    'type:client',
    'type:adapter',
    'type:runtime',
    'type:testing',
    'type:tools',
    'scope:standalone',
  ],
};

/** Files that tools and e2e read where they are defined, because no package exports them. */
const READ_WHERE_DEFINED = [
  '../apps/standalone/src/process-table.js',
  '../../apps/standalone/src/process-table.js',
  '../../libs/runtime/src/servers/npm-binaries.js',
  '../tools/deployment/queries.js',
  '../../apps/gateway/test/inputs/*',
  '../bench/src/knowledge/*',
];

/** Tests may start real servers; what is shipped may not. */
const FOR_TESTS_ONLY = ['type:testing', 'type:runtime', 'type:client'];

const boundaries = (alsoAllowed = []) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      allow: READ_WHERE_DEFINED,
      depConstraints: Object.entries(MAY_IMPORT).map(([sourceTag, tags]) => ({
        sourceTag,
        onlyDependOnLibsWithTags: [...tags, ...alsoAllowed],
      })),
    },
  ],
});

/** Packages that a file may not import. Rules of one file do not add up: each block below names all of its own. */
const ban = (files, ...bans) => ({
  files,
  ignores: ['**/*.spec.ts'],
  rules: { 'no-restricted-imports': ['error', { patterns: bans }] },
});

const FRAMEWORKS = {
  group: ['@nestjs/*', 'typeorm', 'pg', '@nats-io/*', '@qdrant/*', 'fastify'],
  message: 'Contracts are plain shapes: no framework, no driver.',
};
const STORES = {
  group: ['typeorm', 'pg', '@qdrant/*'],
  message: 'The gateway owns no data: ask the service that does, over NATS.',
};
const HTTP = {
  group: ['fastify', '@nestjs/platform-fastify'],
  message: 'Only the gateway speaks HTTP to clients.',
};
const DRIVERS = {
  group: ['typeorm', 'pg', '@nats-io/*', '@qdrant/*', '**/*.entity.js'],
  message: 'Use cases know repositories and ports, not drivers: put this into the repository.',
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.loci/**', '**/*.generated.*'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      ...boundaries(),
      // contract classes describe shapes; what travels, and what we hand over, are plain objects of these shapes
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // markup is long
    files: ['apps/console/src/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'max-lines-per-function': ['warn', { max: 90, skipBlankLines: true, skipComments: true }],
      // about a compiler that we do not use
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    // a suite of tests is one long function by nature
    files: ['**/*.spec.ts', '{apps,libs}/*/test/**/*.ts', '{apps,libs}/*/src/testing/**/*.ts', 'e2e/**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      ...boundaries(FOR_TESTS_ONLY),
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  {
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^query$/][typeArguments]',
          message:
            'Nothing compares this type with the database: put the statement into a *.sql.ts that declares its row.',
        },
      ],
    },
  },
  ban(['libs/contracts/**/*.ts'], FRAMEWORKS),
  ban(['apps/gateway/**/*.ts'], STORES),
  ban(['apps/console/**/*.{ts,tsx}'], FRAMEWORKS),
  ban(['apps/*-service/**/*.ts'], HTTP),
  ban(['apps/*-service/src/**/*.{service,controller}.ts'], HTTP, DRIVERS),
);

// Three kinds of test. Sources are compiled by swc on the fly: no build is needed but for e2e.
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@loci/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFiles: ['reflect-metadata'],
};

export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/jest/slow-kinds-first.mjs',
  // starting the whole product on a busy machine takes a while; a test that waits has deadlines of its own
  testTimeout: 240_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs}/*/src/**/*.spec.ts', '<rootDir>/{bench,tools}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.int\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs}/*/src/**/*.int.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/dist/integration/global-setup.js',
      globalTeardown: '<rootDir>/libs/testing/dist/integration/global-teardown.js',
    },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/e2e/**/*.e2e.spec.ts'] },
  ],
};

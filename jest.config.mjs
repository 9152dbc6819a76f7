// Three kinds of test. Node loads the modules (docs/decisions/0102), our sources compiled by swc: no build is needed but for e2e.
const shared = {
  runtime: '<rootDir>/tools/jest/shared-runtime.cjs',
  testEnvironment: '<rootDir>/tools/jest/shared-environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFiles: ['reflect-metadata'],
};

/** Folders or suites to test by the name of a project below, from tools/nx/run-tests.mjs; absent: all. */
const wanted = process.env.JEST_WANTED ? JSON.parse(process.env.JEST_WANTED) : {};

/** @param within the files that are tests, in a folder */
const testMatch = (project, all, within = '') =>
  (wanted[project] ?? [all]).map((path) => `<rootDir>/${path}${within}`);

export default {
  // a suite of end-to-end tests keeps one and a half processors busy: more of them at once only wait for each other
  maxWorkers: 2,
  // the end of a worker takes more than the half second of the default on a busy machine; what leaks is told all the same
  workerGracefulExitTimeout: 30_000,
  testSequencer: '<rootDir>/tools/jest/slow-kinds-first.mjs',
  // starting the whole product on a busy machine takes a while; a test that waits has deadlines of its own
  testTimeout: 600_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: testMatch('unit', '{apps/*,libs/*,bench,tools}', '/**/*.spec.ts'),
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.int\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: testMatch('integration', '{apps,libs}/*', '/**/*.int.spec.ts'),
      globalSetup: '<rootDir>/libs/testing/dist/integration/global-setup.js',
      globalTeardown: '<rootDir>/libs/testing/dist/integration/global-teardown.js',
    },
    { ...shared, displayName: 'e2e', testMatch: testMatch('e2e', 'e2e/*.e2e.spec.ts') },
  ],
};

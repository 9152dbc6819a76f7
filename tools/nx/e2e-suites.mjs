// An Nx plugin: each suite of end-to-end tests is a target of its own, so that one that passed is not run again for another.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { foldersOf, SUITE_FILES } from './e2e-folders.mjs';

/** Of every suite, beside its own file and the folders that it imports from. */
const INPUTS = [
  'sharedGlobals',
  '^production',
  'testGlobals',
  '{workspaceRoot}/README.md',
  '{workspaceRoot}/docs/guide/**/*',
  '{workspaceRoot}/libs/*/README.md',
  '{workspaceRoot}/clients/**/*',
  '{workspaceRoot}/tools/backup/**/*',
  '{workspaceRoot}/tools/deployment/**/*',
  '{workspaceRoot}/tools/publish/**/*',
  '{workspaceRoot}/tools/set-aside.mjs',
  'browser',
  'runtimes',
];

/** @param file path of a suite @returns the target that runs it: `e2e-console` */
const targetOf = (file) => `e2e-${basename(file, SUITE_FILES)}`;

const allOf = (folder) => `{projectRoot}/${folder}/**/*`;

/** The targets of all suites. */
export const e2eTargets = () =>
  readdirSync('e2e')
    .filter((name) => name.endsWith(SUITE_FILES))
    .map(targetOf);

/** @param target as `targetOf` gives it @returns the path of the suite */
export const suiteOf = (target) => `e2e/${target.slice('e2e-'.length)}${SUITE_FILES}`;

/** @type {import('@nx/devkit').CreateNodesV2} */
export const createNodesV2 = [
  `e2e/*${SUITE_FILES}`,
  (files) =>
    files.map((file) => [
      file,
      {
        projects: {
          e2e: {
            targets: {
              [targetOf(file)]: {
                executor: './tools/nx:test',
                inputs: [...INPUTS, `{workspaceRoot}/${file}`, ...foldersOf(file).map(allOf)],
                cache: true,
              },
            },
          },
        },
      },
    ]),
];

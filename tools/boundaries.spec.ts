import { beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MODULE_BOUNDARY = '@nx/enforce-module-boundaries';
const BANNED_PACKAGE = 'no-restricted-imports';

/** What is written where, and the rule that has to find it. */
const VIOLATIONS = [
  [
    'the gateway reaches for the database',
    'apps/gateway/src/planted.ts',
    '@loci/persistence',
    MODULE_BOUNDARY,
  ],
  ['the gateway imports a driver', 'apps/gateway/src/planted.ts', 'typeorm', BANNED_PACKAGE],
  [
    'an app imports an app',
    'apps/episodic-service/src/planted.ts',
    '../../config-service/src/env.js',
    MODULE_BOUNDARY,
  ],
  ['a service imports fixtures', 'apps/episodic-service/src/planted.ts', '@loci/testing', MODULE_BOUNDARY],
  ['a service speaks HTTP', 'apps/episodic-service/src/planted.ts', 'fastify', BANNED_PACKAGE],
  ['a use case knows a driver', 'apps/episodic-service/src/planted.service.ts', 'typeorm', BANNED_PACKAGE],
  ['contracts know a framework', 'libs/contracts/src/planted.ts', '@nestjs/common', BANNED_PACKAGE],
  ['a lib imports one above it', 'libs/platform/src/planted.ts', '@loci/messaging', MODULE_BOUNDARY],
  ['a lib imports a tool', 'libs/platform/src/planted.ts', '../../../tools/documents.js', MODULE_BOUNDARY],
  ['an end-to-end test imports a service', 'e2e/planted.ts', '../apps/gateway/src/env.js', MODULE_BOUNDARY],
  ['a tool imports persistence', 'tools/planted.ts', '@loci/persistence', MODULE_BOUNDARY],
] as const;

const ALLOWED = [
  ['the gateway imports contracts', 'apps/gateway/src/planted.ts', '@loci/contracts'],
  ['an end-to-end test imports fixtures', 'e2e/planted.ts', '@loci/testing'],
  ['an adapter imports a driver', 'apps/episodic-service/src/planted.repository.ts', 'typeorm'],
] as const;

const FILES = [...VIOLATIONS, ...ALLOWED].map(([what, path, imported]) => ({ what, path, imported }));

/**
 * Prints the rules that each file would break. Rules that read types are off, or all of our sources would be compiled
 * for them; a boundary is seen by the path of a file and by what it imports.
 */
const LINT = `
  import { ESLint } from 'eslint';
  import tseslint from 'typescript-eslint';

  const eslint = new ESLint({ overrideConfig: tseslint.configs.disableTypeChecked });
  const broken = [];
  for (const { what, path, imported } of JSON.parse(process.argv[1])) {
    const [{ messages }] = await eslint.lintText(\`import '\${imported}';\`, { filePath: path });
    broken.push([what, messages.map(({ ruleId }) => ruleId)]);
  }
  console.log(JSON.stringify(broken));`;

/** The rules that each file breaks, by what it does. */
let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  // the rule of boundaries reads the graph of projects that nx keeps; a fresh clone has none
  await run('npx', ['nx', 'show', 'projects']);
  const { stdout } = await run(process.execPath, [
    ...['--input-type=module', '--eval', LINT],
    JSON.stringify(FILES),
  ]);
  broken = new Map(JSON.parse(stdout) as [string, string[]][]);
}, 120_000);

test.each(VIOLATIONS)('lint fails when %s', (what, _path, _imported, rule) => {
  expect(broken.get(what)).toContain(rule);
});

test.each(ALLOWED.map(([what]) => what))('lint lets pass that %s', (what) => {
  expect(broken.get(what)).toEqual([]);
});

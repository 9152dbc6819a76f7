import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MODULE_BOUNDARY = '@nx/enforce-module-boundaries';
const BANNED_PACKAGE = 'no-restricted-imports';

/** What is planted where, and the rule that has to find it. */
const VIOLATIONS = [
  [
    'the gateway reaches for the database',
    'apps/gateway/src/planted-1.ts',
    '@loci/persistence',
    MODULE_BOUNDARY,
  ],
  ['the gateway imports a driver', 'apps/gateway/src/planted-2.ts', 'typeorm', BANNED_PACKAGE],
  [
    'an app imports an app',
    'apps/episodic-service/src/planted-1.ts',
    '../../config-service/src/env.js',
    MODULE_BOUNDARY,
  ],
  ['a service imports fixtures', 'apps/episodic-service/src/planted-2.ts', '@loci/testing', MODULE_BOUNDARY],
  ['a service speaks HTTP', 'apps/episodic-service/src/planted-3.ts', 'fastify', BANNED_PACKAGE],
  ['a use case knows a driver', 'apps/episodic-service/src/planted.service.ts', 'typeorm', BANNED_PACKAGE],
  ['contracts know a framework', 'libs/contracts/src/planted-1.ts', '@nestjs/common', BANNED_PACKAGE],
  ['a lib imports one above it', 'libs/platform/src/planted-1.ts', '@loci/messaging', MODULE_BOUNDARY],
] as const;

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null }[];
}

const paths = VIOLATIONS.map(([, path]) => path);
let results: LintResult[];

beforeAll(async () => {
  // the rule of boundaries reads the graph of projects that nx keeps; a fresh clone has none
  await run('npx', ['nx', 'show', 'projects']);
  for (const [, path, imported] of VIOLATIONS) writeFileSync(path, `import '${imported}';\n`);
  const args = ['node_modules/eslint/bin/eslint.js', '--format', 'json', ...paths];
  const { stdout } = await run(process.execPath, args).catch(
    (failed: unknown) => failed as { stdout: string },
  );
  results = JSON.parse(stdout) as LintResult[];
}, 120_000);

afterAll(() => {
  for (const path of paths) rmSync(path);
});

test.each(VIOLATIONS)('lint fails when %s', (_what, path, _imported, rule) => {
  const result = results.find(({ filePath }) => filePath === resolve(path));
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain(rule);
});

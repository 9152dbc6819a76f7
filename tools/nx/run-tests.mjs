import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { suiteOf } from './e2e-suites.mjs';

/** Jest's project (jest.config.mjs) of each target; other targets are suites of end-to-end tests. */
const KINDS = { test: 'unit', integration: 'integration' };

/** Runs the tests of all tasks, `{ id, target, root }`, in one Jest, which prints as it goes. */
export async function run(tasks) {
  const folder = await mkdtemp(join(tmpdir(), 'loci-jest-'));
  try {
    const path = join(folder, 'results.json');
    const code = await runJest(tasks, path);
    const results = await readFile(path, 'utf8').then(JSON.parse, () => undefined);
    if (results) for (const notice of noticesOf(results.testResults)) process.stderr.write(`${notice}\n`);
    return Object.fromEntries(tasks.map((task) => [task.id, resultOf(task, results, code)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runJest(tasks, outputFile) {
  const wanted = {};
  for (const { target, root } of tasks) {
    const kind = KINDS[target];
    if (kind) (wanted[kind] ??= []).push(root);
    else (wanted.e2e ??= []).push(suiteOf(target));
  }
  const options = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  const child = spawn(
    process.execPath,
    [
      ...['--no-warnings', 'node_modules/jest/bin/jest.js', ...options],
      ...['--selectProjects', ...Object.keys(wanted)],
    ],
    // the report of --json goes to the file as well
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, JEST_WANTED: JSON.stringify(wanted) } },
  );
  const [code] = await once(child, 'close');
  return code;
}

/**
 * A Jest that failed for another reason than a test has tested nothing. Jest calls a file `failed` when a test of it
 * failed, and `focused` when one was skipped and the others passed.
 */
function resultOf({ target, root }, results, code) {
  const isWhole = results && !results.wasInterrupted && (code === 0 || results.numFailedTestSuites > 0);
  if (!isWhole) return { success: false, terminalOutput: `Jest ended with exit code ${code}.` };
  const own = results.testResults.filter(({ name }) => isOf(name, target, root));
  const failed = own.filter(({ status }) => status === 'failed');
  const tests = own.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0);
  return {
    success: failed.length === 0,
    terminalOutput: [
      `${tests} tests in ${own.length} files`,
      ...noticesOf(own),
      ...failed.map(({ name, message }) => `${name}\n${message}`),
    ].join('\n'),
  };
}

/** What was skipped is said, not passed over: a machine may lack what it needs, such as a browser. */
const noticesOf = (files) =>
  files.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(({ status }) => status === 'pending');
    const reasons = new Set(skipped.map(({ ancestorTitles, title }) => ancestorTitles[0] ?? title));
    if (skipped.length === 0) return [];
    return `DID NOT RUN: ${skipped.length} tests of ${relative(process.cwd(), name)} (${[...reasons].join('; ')})`;
  });

function isOf(path, target, root) {
  if (path.endsWith('.e2e.spec.ts')) return path === join(process.cwd(), suiteOf(target));
  const targetOfFile = path.endsWith('.int.spec.ts') ? 'integration' : 'test';
  return targetOfFile === target && path.startsWith(join(process.cwd(), root) + sep);
}

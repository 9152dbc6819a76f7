// `npm run tests:built`: the tests of all kinds, of what is built.
import { spawnSync } from 'node:child_process';
import { e2eTargets } from './e2e-suites.mjs';

const targets = ['test', 'integration', ...e2eTargets()];
const { status } = spawnSync('nx', ['run-many', '--exclude-task-dependencies', '-t', ...targets], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

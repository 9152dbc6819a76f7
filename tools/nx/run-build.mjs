import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Builds the projects of all tasks: `{ id, target, root }`. */
export async function run(tasks) {
  const child = spawn(process.execPath, ['tools/build.mjs', ...tasks.map(({ root }) => root)], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return Object.fromEntries(tasks.map(({ id }) => [id, { success: code === 0, terminalOutput: '' }]));
}

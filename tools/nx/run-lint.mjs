import { ESLint } from 'eslint';
import { sep } from 'node:path';

/** Files at the root belong to no project: they are linted with the tools. */
const AT_ROOT = '*.mjs';

/** Lints the projects of all tasks: `{ id, target, root }`. A warning fails, too. */
export async function run(tasks) {
  const eslint = new ESLint();
  const formatter = await eslint.loadFormatter('stylish');
  const patterns = tasks.flatMap(({ root }) => (root === 'tools' ? [root, AT_ROOT] : [root]));
  const results = await eslint.lintFiles(patterns);
  const entries = tasks.map(async ({ id, root }) => {
    const own = results.filter(({ filePath }) => isIn(root, filePath));
    const success = own.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
    const report = await formatter.format(own);
    // Nx shows the output of a task in a batch nowhere
    process.stderr.write(report);
    return [id, { success, terminalOutput: report || `${own.length} files` }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function isIn(root, filePath) {
  const path = filePath.slice(process.cwd().length + 1);
  return path.startsWith(root + sep) || (root === 'tools' && !path.includes(sep));
}

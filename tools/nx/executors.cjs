// Nx loads executors by `require`.
'use strict';

const runs = {
  build: () => import('./run-build.mjs'),
  lint: () => import('./run-lint.mjs'),
  test: () => import('./run-tests.mjs'),
};

/** @returns by task: whether it succeeded, and what Nx prints again when it takes the result from its cache */
const all = (kind) => async (taskGraph, _inputs, _overrides, context) => {
  const { run } = await runs[kind]();
  const tasks = Object.values(taskGraph.tasks).map(({ id, target }) => ({
    id,
    target: target.target,
    root: context.projectGraph.nodes[target.project].data.root,
  }));
  return run(tasks);
};

const one = (kind) => async (_options, context) => {
  const id = `${context.projectName}:${context.targetName}`;
  const target = { project: context.projectName, target: context.targetName };
  const results = await all(kind)({ tasks: { [id]: { id, target } } }, {}, {}, context);
  return results[id];
};

module.exports = {
  build: one('build'),
  buildAll: all('build'),
  lint: one('lint'),
  lintAll: all('lint'),
  test: one('test'),
  testAll: all('test'),
};

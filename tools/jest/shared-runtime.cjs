// Jest's runtime, but Node loads the modules: packages once in a worker, our sources once for all test files of a project.
// Jest loads Nest, TypeORM and our sources again for every file.
'use strict';

const { register } = require('node:module');
const { relative, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');
const { SourceMaps } = require('./sources.cjs');

/** As Jest's own runner of tests names them: what it keeps between test files. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

const sourceMaps = new SourceMaps();

register(pathToFileURL(require.resolve('./source-hooks.mjs')));

module.exports = class SharedRuntime extends Runtime {
  unstable_shouldLoadAsEsm(path) {
    return path.endsWith('.ts');
  }

  /** Two services in one process would mix up their entities; a suite has its own product. */
  async unstable_importModule(path) {
    const project = relative(this._config.rootDir, path).split(sep).slice(0, 2).join('/');
    return import(`${pathToFileURL(path)}?${project}`);
  }

  requireModule(from, name = from) {
    return require(name);
  }

  /** Asked for what runs the tests of a file, which starts with nothing of the file before. */
  requireInternalModule(path) {
    delete globalThis[HANDLERS];
    delete require.cache[path];
    return require(path);
  }

  /** For test-globals.mjs. */
  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis.lociTestGlobals = this.jestGlobals.cjsGlobals(this._testPath);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** There is no other `process` than the one of Node. */
  installGetBuiltinModule() {}
};

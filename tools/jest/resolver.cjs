// Jest's resolver: what is imported of a bundled package is its bundle (bundled-packages.mjs). What is required, which an
// ES module cannot be, comes from the package itself.
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.JEST_PACKAGES;
const bundles = folder
  ? new Map(Object.entries(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))))
  : new Map();

module.exports = (request, options) => {
  const bundle = options.conditions?.includes('import') ? bundles.get(request) : undefined;
  return bundle === undefined ? options.defaultResolver(request, options) : join(folder, bundle);
};

// How our sources are compiled for tests.
'use strict';

const { transformFileSync } = require('@swc/core');
const { Buffer } = require('node:buffer');

const options = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

exports.compile = (path) => transformFileSync(path, options).code;

/** Where lines of sources are in what is run, by the address of a source; for errors, few of which ever show theirs. */
exports.SourceMaps = class SourceMaps extends Map {
  get(address) {
    if (!this.has(address) && /^file:.*\.ts\?/.test(address)) this.set(address, inlineMap(address));
    return super.get(address);
  }
};

function inlineMap(address) {
  const { map } = transformFileSync(new URL(address).pathname, { ...options, sourceMaps: true });
  return `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}

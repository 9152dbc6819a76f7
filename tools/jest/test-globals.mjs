// What tests import of '@jest/globals', for shared-runtime.cjs. A module that several test files import is loaded once:
// what it calls belongs to the file that runs.
const ofThisFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_, __, values) => globalThis.lociTestGlobals[name](...values),
    get: (_, key) => globalThis.lociTestGlobals[name][key],
  });

export const afterAll = ofThisFile('afterAll');
export const afterEach = ofThisFile('afterEach');
export const beforeAll = ofThisFile('beforeAll');
export const beforeEach = ofThisFile('beforeEach');
export const describe = ofThisFile('describe');
export const expect = ofThisFile('expect');
export const jest = ofThisFile('jest');
export const test = ofThisFile('test');

import { expect, test } from '@jest/globals';
import { FRAMEWORKS, linesOf, programOf } from './frameworks.js';

test.each(FRAMEWORKS)('$name is shown by its document, in 20 lines at most', (framework) => {
  const program = programOf(framework);
  expect(program).toMatch(/127\.0\.0\.1:8080|localhost:8080/);
  expect(program).toMatch(/['"]acme['"]/);
  expect(linesOf(program)).toBeLessThanOrEqual(20);
});

test('a snippet that has gone is an error', () => {
  const [framework] = FRAMEWORKS;
  if (!framework) throw new Error('There is no framework.');
  expect(() => programOf({ ...framework, snippet: 'gone' })).toThrow('does not show HTTP (curl) as it did');
});

test('empty lines and comments are no lines of code', () => {
  expect(linesOf('// a\n\nb\n  # c\nd')).toBe(2);
});

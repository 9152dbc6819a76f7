import { describe, expect, test } from '@jest/globals';
import { allOf, type Conditions, filter, type Filter, not, where } from '../index.js';

describe('a filter that would let through too much is refused', () => {
  test.each<[string, () => Filter]>([
    ['a variable is not set', () => where({ user_id: undefined } as unknown as Conditions)],
    ['a variable is not set', () => where({ metadata: { room: undefined } } as unknown as Conditions)],
    ['a variable is not set', () => where({ user_id: { eq: undefined } } as unknown as Conditions)],
    ['a variable is not set', () => filter`metadata.user_id = ${undefined}`],
    ['would match everything', () => where({})],
    ['would match everything', () => filter` `],
    ['names no key', () => where({ metadata: {} })],
    ['compares with nothing', () => where({ user_id: {} })],
    ['neither since nor until', () => where({ at: {} })],
    ['no condition to join', () => allOf()],
    ['metadata: { colour: … }', () => where({ colour: 'red' } as unknown as Conditions)],
    ['There is no comparison like', () => where({ user_id: { like: 'x' } } as unknown as Conditions)],
    ['key of a metadata condition is empty', () => where({ metadata: { '': 'x' } })],
  ])('%s', (message, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('a value that the language cannot write is refused', () => {
  test.each([Number.NaN, Infinity, 2 ** 60])('the number %d', (n) => {
    expect(() => where({ metadata: { n } })).toThrow(TypeError);
  });

  test.each<[string, () => Filter]>([
    ['invalid', () => where({ metadata: { at: new Date(Number.NaN) } })],
    ['ISO 8601', () => where({ at: { since: 'May' } })],
    ['NUL', () => where({ user_id: 'a\0b' })],
    ['texts, numbers, booleans and dates', () => where({ user_id: { eq: {} } } as unknown as Conditions)],
    ['only texts or only whole numbers', () => where({ tag: ['a', 1] })],
    ['only texts or only whole numbers', () => where({ tag: [1.5] })],
    ['take a list', () => where({ tag: { in: 'a' } } as unknown as Conditions)],
  ])('%s', (message, make) => {
    expect(make).toThrow(message);
  });
});

describe('a placeholder of the tag stands where a value stands', () => {
  const value = "x' OR metadata.a='";

  test.each<[string, () => Filter]>([
    ['inside quotes', () => filter`metadata.a = '${value}'`],
    ['inside quotes', () => filter`metadata.a = "${value}"`],
    ['on both sides', () => filter`metadata.a = 'b'${value}`],
    ['on both sides', () => filter`metadata.a = ${value}'b'`],
    ['on both sides', () => filter`metadata.a = ${value}${value}`],
    ['on both sides', () => filter`metadata.a = x${value}`],
    ['is not closed', () => filter`(metadata.a = ${value}`],
    ['was not opened', () => filter`metadata.a = ${value}) OR (metadata.b = 'c'`],
    ['does not end', () => filter`metadata.a = 'b`],
    ['is not empty', () => filter`metadata.${''} = 'b'`],
  ])('%s', (message, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test('another filter may, too', () => {
    const own = filter`${where({ user_id: "o'hara" })} AND NOT ${where({ tag: ['a', 'b'] })}`;
    expect(own.text).toBe("((metadata.'user_id' = 'o''hara') AND NOT (tag IN ('a', 'b')))");
  });
});

test('what is composed keeps its own parentheses', () => {
  const a = where({ tag: 'a' });
  const b = where({ tag: 'b' });
  const c = where({ tag: 'c' });
  expect(a.or(b).and(c).text).toBe("(tag = 'a' OR tag = 'b') AND tag = 'c'");
  expect(a.and(b).and(c).text).toBe("tag = 'a' AND tag = 'b' AND tag = 'c'");
  expect(not(a.or(b)).text).toBe("NOT (tag = 'a' OR tag = 'b')");
  expect(String(a)).toBe("tag = 'a'");
});

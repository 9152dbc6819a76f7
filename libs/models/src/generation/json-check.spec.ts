import { describe, expect, jest, test } from '@jest/globals';
import { JsonCheck } from './json-check.js';

const SCHEMA = {
  type: 'object',
  properties: { cities: { type: 'array', items: { type: 'string' } } },
  required: ['cities'],
};
const OSLO = { cities: ['Oslo'] };

const check = (reply: string) => new JsonCheck().check(reply, SCHEMA);

describe('the JSON in a reply', () => {
  test.each([
    JSON.stringify(OSLO),
    `Sure!\n\`\`\`json\n${JSON.stringify(OSLO)}\n\`\`\`\nBye.`,
    `\`\`\`${JSON.stringify(OSLO)}\`\`\``,
    `It is ${JSON.stringify(OSLO)}, as you know.`,
  ])('is found in %j', (reply) => {
    expect(check(reply)).toEqual({ value: OSLO });
  });

  test.each(['', '{', '} {', '```', '```json', '``````', 'no'])('is not in %j', (reply) => {
    expect(check(reply)).toEqual({ problem: 'It is not valid JSON.' });
  });

  test('has texts that can be stored, whatever a model cuts in two', () => {
    expect(check('{"cities":["Os\\u0000lo \\ud83d","\\ud83d\\ude00"]}')).toEqual({
      value: { cities: ['Oslo \ufffd', '\u{1f600}'] },
    });
  });

  test('is wrong where its first problem says', () => {
    expect(check('{"cities":[1,2]}')).toEqual({ problem: '/cities/0 must be string.' });
    expect(check('{}')).toEqual({ problem: "The object must have required property 'cities'." });
  });
});

describe('a reply that is made to take memory', () => {
  test.each([
    ['nested deeper than 64 levels', '['.repeat(4_000_000)],
    ['more than 50000 objects and lists', `{"cities":[${'[],'.repeat(50_000)}[]]}`],
    [
      'more than 100000 fields of objects',
      `{${Array.from({ length: 100_001 }, (_, index) => `"${index}":1`).join()}}`,
    ],
  ])('%s: is refused before anything is built from it', (what, reply) => {
    const parse = jest.spyOn(JSON, 'parse');
    for (const given of [reply, `\`\`\`json\n${reply}\n\`\`\``]) {
      expect(check(given)).toEqual({ problem: expect.stringContaining(what) });
    }
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('a reply that is made to take long', () => {
  const LENGTH = 4_000_000;

  test.each([
    ['blanks behind an open fence', `\`\`\`${' '.repeat(LENGTH)}`],
    ['nothing but fences', '```'.repeat(LENGTH / 4)],
    ['braces', '{'.repeat(LENGTH)],
    ['a problem for each item', `{"cities":[${'1,'.repeat(LENGTH / 2)}1]}`],
  ])('%s: is refused in linear time', (_, reply) => {
    expect(check(reply)).toMatchObject({ problem: expect.any(String) });
  });
});

import { describe, expect, test } from '@jest/globals';
import { AppError } from '@loci/contracts';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import { jsonErrorPosition } from './json-error-position.js';
import { readJson } from './read-json.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusal(body: Uint8Array): unknown {
  try {
    readJson(body);
  } catch (error) {
    if (error instanceof AppError) return error.details.problems?.[0];
    throw error;
  }
  throw new Error('accepted');
}

describe('reading', () => {
  test('gives what JSON.parse gives, for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(readJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('an empty body is no body', () => {
    expect(readJson(new Uint8Array())).toBeUndefined();
  });

  test('a byte order mark is skipped', () => {
    expect(readJson(bytes('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  test('JSON may be 64 levels deep, and brackets in texts are no levels', () => {
    const flat = `["${'[{'.repeat(100)}\\"[["]`;
    expect(readJson(bytes(flat))).toEqual(JSON.parse(flat));
    expect(readJson(bytes(`${'['.repeat(64)}${']'.repeat(64)}`))).toBeDefined();
    expect(refusal(bytes(`{"ä":${'['.repeat(64)}`))).toMatchObject({
      type: 'json_invalid',
      loc: ['body', 68],
    });
  });

  test('an object may have very many fields, and not more than that', () => {
    const fieldsOf = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"a${index}":":{"`).join(',')}}`;
    expect(readJson(bytes(fieldsOf(100_000)))).toBeDefined();
    expect(refusal(bytes(fieldsOf(100_001)))).toMatchObject({
      msg: 'JSON decode error: more than 100000 fields of objects',
    });
  });

  test('a list may have very many items, and not more than that', () => {
    const listOf = (count: number): string => `{"a":[${Array(count).fill(0).join(',')}],"b":",,"}`;
    expect(readJson(bytes(listOf(200_000)))).toBeDefined();
    expect(refusal(bytes(listOf(200_001)))).toMatchObject({
      msg: 'JSON decode error: more than 200000 fields and items of lists',
    });
  });

  test.each([
    ['{"project_id":"a","project_id":"b"}', 18],
    ['{"org_id":"a" , "x":{}, "org_id" : "a"}', 24],
    ['{"project_id":"a","project_\\u0069d":"b"}', 18],
    ['[{"id":1,"params":{"arguments":{"proj_id":"a","y":[{}],"proj_id":"b"}}}]', 55],
  ])('an object that names its tenant twice is refused: %s', (text, position) => {
    expect(refusal(bytes(text))).toEqual({
      loc: ['body', position],
      msg: 'JSON decode error: this object names its organization or project twice',
      type: 'json_invalid',
    });
  });

  test.each([
    '{"project_id":"a","metadata":{"project_id":"b"},"x":["project_id","project_id"]}',
    '[{"project_id":"a"},{"project_id":"b"}]',
    '{"project_id":"project_id","x":"project_id"}',
    '{"a":1,"a":2,"project_ids":1,"project":2,"org_id":"\\"project_id"}',
  ])('each object names its tenant once: %s', (text) => {
    expect(readJson(bytes(text))).toEqual(JSON.parse(text));
  });

  test('what is not UTF-8 is refused with its position', () => {
    const broken = new Uint8Array([...bytes('{"é":"'), 0xc3, 0x28, ...bytes('"}')]);
    expect(refusal(broken)).toEqual({
      loc: ['body', 6],
      msg: 'JSON decode error: not valid UTF-8',
      type: 'json_invalid',
    });
  });
});

describe('the position of an error', () => {
  test.each<[string, number]>([
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['[}', 1],
    ['{]', 1],
    ['[1]]', 3],
    ['1 2', 2],
    ['tru', 0],
    ['-', 0],
    ['01', 0],
    ['1.', 0],
    ['"abc', 4],
    ['"a\tb"', 2],
    ['"\\u12"', 1],
    ['{"a":[{"b":nul}]}', 11],
  ])('%j: %d', (text, position) => {
    expect(jsonErrorPosition(text)).toBe(position);
  });

  test('a stray character is found where it was put, or at the start of the word that it broke', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, somewhere) => {
        const cut = somewhere % (text.length + 1);
        const broken = `${text.slice(0, cut)}#${text.slice(cut)}`;
        const isInText = isJson(broken);
        const position = jsonErrorPosition(broken);
        if (isInText) expect(position).toBe(broken.length);
        else expect(broken.slice(position, cut)).toMatch(/^(?:[\w.+-]*|\\u?[\da-f]*)$/i);
      }),
      { numRuns: 500 },
    );
  });

  test('is found in a text of any depth and length', () => {
    expect(jsonErrorPosition('['.repeat(1_000_000))).toBe(1_000_000);
    expect(jsonErrorPosition(`"${'\\n'.repeat(500_000)}`)).toBe(1_000_001);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('canonical JSON', () => {
  test('is the same for every order of keys and every spacing', () => {
    const one = JSON.parse('{"b":[1,{"d":null,"c":"x"}],"a":1.0}') as unknown;
    const other = JSON.parse('{ "a":1, "b":[ 1, {"c":"x", "d":null} ] }') as unknown;
    expect(canonicalJson(one)).toBe('{"a":1,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  test('says the same as the JSON that it was made of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('knows a key called __proto__ from its absence', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});

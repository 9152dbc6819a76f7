import { expect, test } from '@jest/globals';
import { v4 as uuidv4, v7 as uuidv7, validate } from 'uuid';
import { importedUid } from './imported-uid.js';

const [one, other] = [uuidv7(), uuidv7()];

test.each([uuidv7(), uuidv4(), '17', 'a', 'A'])(
  '%s always becomes the same uid, another one in another project',
  (source) => {
    expect(validate(importedUid(source, one))).toBe(true);
    expect(importedUid(source, one)).toBe(importedUid(source, one));
    expect(importedUid(source, one)).not.toBe(importedUid(source, other));
    expect(importedUid(source, one)).not.toBe(source);
  },
);

test('ids of other systems that differ in case alone stay two', () => {
  expect(importedUid('a', one)).not.toBe(importedUid('A', one));
});

test('the messages of one add keep their sequence, and no two get the same uid', () => {
  const sources = Array.from({ length: 5_000 }, () => uuidv7());
  const imported = sources.map((source) => importedUid(source, one));
  expect(imported).toEqual([...imported].sort());
  expect(new Set(imported).size).toBe(sources.length);
});

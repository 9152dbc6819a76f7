import { expect, test } from '@jest/globals';
import { v4 as uuidv4, v7 as uuidv7, validate } from 'uuid';
import { arrivingUid } from './arriving-uid.js';

const [one, other] = [uuidv7(), uuidv7()];

test.each([uuidv7(), uuidv4(), '17', 'a', 'A'])(
  '%s always becomes the same uid, another one in another project',
  (source) => {
    expect(validate(arrivingUid(source, one))).toBe(true);
    expect(arrivingUid(source, one)).toBe(arrivingUid(source, one));
    expect(arrivingUid(source, one)).not.toBe(arrivingUid(source, other));
    expect(arrivingUid(source, one)).not.toBe(source);
  },
);

test('ids of other systems that differ in case alone stay two', () => {
  expect(arrivingUid('a', one)).not.toBe(arrivingUid('A', one));
});

test('the messages of one add keep their order, and none becomes another', () => {
  const sources = Array.from({ length: 5_000 }, () => uuidv7());
  const arrived = sources.map((source) => arrivingUid(source, one));
  expect(arrived).toEqual([...arrived].sort());
  expect(new Set(arrived).size).toBe(sources.length);
});

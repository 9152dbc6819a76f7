import { describe, expect, test } from '@jest/globals';
import { instantFromIso, instantFromNumber } from './instant.js';

describe('ISO 8601', () => {
  test.each([
    ['2024-05-01T10:00:00-04:00', '2024-05-01T14:00:00.000000Z'],
    ['2024-05-01T10:00:00.123456+00:00', '2024-05-01T10:00:00.123456Z'],
    ['2024-05-01T10:00:00.1Z', '2024-05-01T10:00:00.100000Z'],
    ['2024-05-01T10:00', '2024-05-01T10:00:00.000000Z'],
    ['2024-05-01 10:00:00', '2024-05-01T10:00:00.000000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000000Z'],
    ['2024-05-01T23:30:00+05:30', '2024-05-01T18:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ])('%s is the instant %s', (text, expected) => {
    expect(instantFromIso(text)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '2024-02-30',
    '2024-13-01',
    '2024-05-01T25:00:00Z',
    '1714557600',
    '2024-05-01T10:00:00+99:00',
    'infinity',
    '0001-01-01T00:00:00+01:00',
    '+12024-01-01T00:00:00Z',
  ])('%j is refused', (text) => {
    expect(instantFromIso(text)).toBeUndefined();
  });
});

describe('numbers', () => {
  test.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [1714557600, '2024-05-01T10:00:00.000000Z'],
    [1714557600.5, '2024-05-01T10:00:00.500000Z'],
    [1714557600123, '2024-05-01T10:00:00.123000Z'],
    [-1, '1969-12-31T23:59:59.000000Z'],
  ])('%d is the instant %s', (value, expected) => {
    expect(instantFromNumber(value)).toBe(expected);
  });

  test.each([1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', (value) => {
    expect(instantFromNumber(value)).toBeUndefined();
  });
});

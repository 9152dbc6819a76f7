import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type VectorPoint } from '../vector-index.js';
import { inRequests } from './point-struct.js';

const point = (terms: number): VectorPoint => ({
  id: randomUUID(),
  dense: new Float32Array(384),
  sparse: {
    indices: Array.from({ length: terms }, (_, index) => index),
    values: new Array<number>(terms).fill(1),
  },
  version: 1,
  payload: { metadata: {}, fields: {}, createdAt: '2024-01-01T00:00:00.000000Z' },
});

const sizes = (points: VectorPoint[]): number[] => [...inRequests(points)].map((request) => request.length);

test('many small points are spread over requests of 256', () => {
  expect(sizes(Array.from({ length: 600 }, () => point(10)))).toEqual([256, 256, 88]);
});

test('large points share a request only as far as it stays small', () => {
  expect(sizes([point(50_000), point(50_000), point(50_000), point(200_000), point(10)])).toEqual([
    2, 1, 1, 1,
  ]);
});

test('every point is in one request, in sequence', () => {
  const points = Array.from({ length: 300 }, (_, index) => point(index * 20));
  expect([...inRequests(points)].flat()).toEqual(points);
});

test('no points are no request', () => {
  expect(sizes([])).toEqual([]);
});

test('an id that comes again goes in another request', () => {
  const [one, other] = [point(10), point(10)];
  expect([...inRequests([one, other, { ...one, version: 2 }])]).toEqual([
    [one, other],
    [{ ...one, version: 2 }],
  ]);
});

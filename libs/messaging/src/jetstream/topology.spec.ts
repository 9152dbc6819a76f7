import { expect, test } from '@jest/globals';
import * as topology from './topology.js';

const declared = (mark: string): unknown[] =>
  Object.values<object>({ ...topology }).filter((value) => mark in value);

test('every stream and every consumer that is declared is made', () => {
  expect(new Set(topology.STREAMS)).toEqual(new Set(declared('subjectPrefix')));
  expect(new Set(topology.CONSUMERS)).toEqual(new Set(declared('ackWaitMs')));
});

import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { cellsOf, LiveTable, type Moment } from './live-table.js';

const MOMENT: Moment = {
  seconds: 2,
  acknowledged: 100,
  retries: 0,
  backlog: { unindexed: 3, waiting: 40, ingested: 60 },
  modelCalls: 10,
  ready: '13/13',
};

test('rates are those since the moment before', () => {
  const later = { ...MOMENT, seconds: 4, acknowledged: 160, modelCalls: 14 };
  expect(cellsOf(later, MOMENT)).toEqual(['4', '160', '30', '0', '3', '40', '60', '0', '2', '13/13']);
});

test('what PostgreSQL could not tell is left open, and so is a rate that begins or ends there', () => {
  const blind = { ...MOMENT, seconds: 3, backlog: undefined };
  expect(cellsOf(blind, MOMENT).slice(4, 8)).toEqual(['-', '-', '-', '-']);
  expect(cellsOf({ ...MOMENT, seconds: 4 }, blind)[7]).toBe('-');
});

test('without a terminal every moment and event is a line', () => {
  const out = new PassThrough({ encoding: 'utf8' });
  const table = new LiveTable(out as unknown as NodeJS.WriteStream);
  table.show(MOMENT);
  table.event('killed nats');
  table.end();
  const lines = String(out.read()).trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe('2 | 100 | 50 | 0 | 3 | 40 | 60 | 30 | 5 | 13/13');
  expect(lines[2]).toBe('-- killed nats');
});

import { beforeEach, expect, test } from '@jest/globals';
import { type AuditRecord, unavailable } from '@loci/contracts';
import { Metrics } from '@loci/platform';
import { auditRecord, eventually, RecordingLogger } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { AuditTrail } from './audit-trail.js';

let trail: AuditTrail;
let metrics: Metrics;
let sent: (readonly AuditRecord[])[];
let isAway: boolean;

beforeEach(() => {
  metrics = new Metrics('gateway');
  sent = [];
  isAway = false;
  const publish = (_: unknown, payload: object): Promise<void> => {
    if (isAway) return Promise.reject(unavailable('service_unavailable', 'x'));
    sent.push((payload as { readonly records: readonly AuditRecord[] }).records);
    return Promise.resolve();
  };
  trail = new AuditTrail(
    { call: () => Promise.reject(new Error('not called')) },
    { publish },
    new RecordingLogger(),
    metrics,
  );
});

const record = (resources: readonly string[] = []): AuditRecord => auditRecord({ id: uuidv7(), resources });

const LARGE = ['x'.repeat(64 * 1024)];

/** Notes records, of these resources. */
function note(count: number, resources?: readonly string[]): readonly string[] {
  const records = Array.from({ length: count }, () => record(resources));
  for (const one of records) trail.note(one);
  return records.map(({ id }) => id);
}

const sentIds = (): readonly string[] => sent.flatMap((records) => records.map(({ id }) => id));

const lost = async (): Promise<number> =>
  Number(/^audit_records_lost_total\S* (\d+)/m.exec(await metrics.render())?.[1] ?? 0);

test('records wait for others to travel with only while there are few', async () => {
  const ids = note(20_100);
  await eventually(() => sent.length > 0, { what: 'the first ones have waited for others' });
  expect(sent.slice(0, 40).map(({ length }) => length)).toEqual(Array(40).fill(500));
  await eventually(() => sentIds().length === ids.length, { what: 'the rest travels, too' });
  expect(sentIds()).toEqual(ids);
});

test('no message is larger than it may be, and records keep their sequence', async () => {
  const ids = [...note(10, LARGE), ...note(10), ...note(10, LARGE)];
  await eventually(() => sentIds().length === ids.length, { what: 'all were sent' });
  expect(sentIds()).toEqual(ids);
  const sizes = sent.map((records) => JSON.stringify(records).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(520 * 1024);
});

test('what waits while the message store is away is bounded in bytes, too', async () => {
  isAway = true;
  const ids = note(1_200, LARGE);
  const count = await lost();
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(300);
  isAway = false;
  await eventually(() => sentIds().length === ids.length - count, { what: 'what was kept is sent' });
  expect(note(1)).toHaveLength(1);
  expect(await lost()).toBe(count);
});

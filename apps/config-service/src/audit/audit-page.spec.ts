import { expect, test } from '@jest/globals';
import { type AuditRecord } from '@loci/contracts';
import { auditRecord } from '@loci/testing';
import { auditPage } from './audit-page.js';

const record = (id: string, resources: string[] = []): AuditRecord => auditRecord({ id, resources });

const idsOf = (found: readonly AuditRecord[], limit: number): [string[], string | undefined] => {
  const { records, next } = auditPage(found, limit);
  return [records.map(({ id }) => id), next];
};

test('a page has as many as it may, and names the last one when there are more', () => {
  const found = ['a', 'b', 'c'].map((id) => record(id));
  expect(idsOf([], 2)).toEqual([[], undefined]);
  expect(idsOf(found, 3)).toEqual([['a', 'b', 'c'], undefined]);
  expect(idsOf(found, 2)).toEqual([['a', 'b'], 'b']);
});

test('a page that looked through as many as it may names the last one, whatever it found', () => {
  expect(auditPage([], 2, 'h')).toEqual({ records: [], next: 'h' });
  expect(auditPage([record('a')], 2, 'h').next).toBe('h');
  expect(
    auditPage(
      ['a', 'b', 'c'].map((id) => record(id)),
      2,
      'h',
    ).next,
  ).toBe('b');
});

test('a page is never larger than a message may be, and has at least one record', () => {
  const megabyte = '𝒳'.repeat(256 * 1024);
  const found = ['a', 'b', 'c', 'd', 'e'].map((id) => record(id, [megabyte]));
  expect(idsOf(found, 5)).toEqual([['a', 'b', 'c'], 'c']);
  const huge = record('huge', Array<string>(9).fill(megabyte));
  expect(idsOf([huge, record('b')], 5)).toEqual([['huge'], 'huge']);
});

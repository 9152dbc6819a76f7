import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { keysHashIn, readSetId } from './parse-set-id.js';
import { keysHash, setIdOf, type SetIdentity } from './set-identity.js';

const TENANT = { orgId: 'acme', projectId: 'main' };

const identity = (tags: Record<string, string>, isOrgLevel = false): SetIdentity => ({
  tenant: TENANT,
  isOrgLevel,
  tags,
});

describe('an id that was given out stands for its set', () => {
  test.each([
    [{}],
    [{ producer_id: 'ada' }],
    [{ producer_id: 'ada_of_loveland_1815' }],
    [{ user_id: '', room: '_' }],
    [{ a: '1', b: '2', c: '3' }],
    [{ agent_id: 'a_user_id_b', user_id: 'x_y_z' }],
  ])('%j', (tags) => {
    for (const isOrgLevel of [false, true]) {
      const id = setIdOf(identity(tags, isOrgLevel));
      const read = readSetId(id, TENANT, []);
      expect(read).toMatchObject({ kind: 'identity', identity: { isOrgLevel } });
      expect(read.kind === 'identity' && setIdOf(read.identity)).toBe(id);
    }
  });

  test('however many values and underscores there are, where the keys are those of a type', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `key_${index}`).sort();
    const tags = Object.fromEntries(keys.map((key) => [key, 'a_b_c_d_e_f']));
    const id = setIdOf(identity(tags));
    expect(readSetId(id, TENANT, [])).toEqual({ kind: 'unknown' });
    expect(readSetId(id, TENANT, [['other'], keys])).toEqual({ kind: 'identity', identity: identity(tags) });
  });
});

test('reading an id that no keys make costs no more than some milliseconds, whatever is in it', () => {
  const texts = ['x_'.repeat(2_048), `${'x'.repeat(2_000)}_`.repeat(2), `${'x'.repeat(120)}_`.repeat(34)];
  const ids = texts.flatMap((text) =>
    [1, 2, 8].map((count) => `mem_other_set_org_acme_${count}_000000000000__${text.slice(0, 4_096)}`),
  );
  const hashing = leastMs(() =>
    createHash('shake256', { outputLength: 6 }).update(Buffer.alloc(4_000_000)).digest(),
  );
  for (const id of ids) expect(leastMs(() => readSetId(id, TENANT, []))).toBeLessThan(hashing);
});

/** The time that some work takes when nothing else happens beside it. */
function leastMs(work: () => unknown): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

test('a type is found by what an id says of its keys', () => {
  for (const keys of [['room'], ['a', 'b_c']]) {
    const id = setIdOf(identity(Object.fromEntries(keys.map((key) => [key, 'v']))));
    const hash = keysHashIn(id, TENANT);
    expect(keysHash(keys).startsWith(hash ?? '-')).toBe(true);
  }
  expect(keysHashIn('mem_project_set_my_session', TENANT)).toBeUndefined();
});

test.each([
  'mem_project_set_my_session',
  'mem_set_type_org_globex_0_46b9dd2b0ba8__',
  'mem_project_set_org_acme_project_other_0_46b9dd2b0ba8__',
  'mem_project_set_org_acme',
  'mem_user_set',
])('a client made up %s', (id) => {
  expect(readSetId(id, TENANT, [])).toEqual({ kind: 'made_up' });
});

test.each([
  ['another hash', 'mem_set_type_org_acme_0_000000000000__'],
  ['pairs where there are no keys', 'mem_set_type_org_acme_0_46b9dd2b0ba8__a_b'],
  ['another kind', 'mem_other_set_org_acme_0_46b9dd2b0ba8__'],
  ['no values', 'mem_other_set_org_acme_project_main_2_bc6110721f5d__agent'],
  ['more words than anything reads', `mem_other_set_org_acme_3_000000000000__${'x_'.repeat(2_000)}`],
])('an id of this organization with %s is unknown: it is not made up', (_, id) => {
  expect(readSetId(id, TENANT, [])).toEqual({ kind: 'unknown' });
});

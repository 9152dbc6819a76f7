import { describe, expect, test } from '@jest/globals';
import { kindOfId, setIdOf, tagKeys } from './set-identity.js';

const tenant = { orgId: 'o', projectId: 'p' };

describe('the id of a set is the documented one', () => {
  test.each([
    [false, {}, 'mem_project_set_org_o_project_p_0_46b9dd2b0ba8__'],
    [true, {}, 'mem_set_type_org_o_0_46b9dd2b0ba8__'],
    [true, { producer_id: 'alice' }, 'mem_user_set_org_o_1_7e8d0b20c039__producer_id_alice'],
    [
      false,
      { user_id: 'u1', agent_id: 'a1' },
      'mem_other_set_org_o_project_p_2_bc6110721f5d__agent_id_a1_user_id_u1',
    ],
  ])('org level %s, tags %j', (isOrgLevel, tags, id) => {
    expect(setIdOf({ tenant, isOrgLevel, tags })).toBe(id);
  });
});

test('the sequence of the tags does not matter', () => {
  const ids = [
    { b: '1', a: '2' },
    { a: '2', b: '1' },
  ].map((tags) => setIdOf({ tenant, isOrgLevel: true, tags }));
  expect(ids[0]).toBe(ids[1]);
});

test('other keys, another level, another project: another id', () => {
  const identities = [
    { tenant, isOrgLevel: false, tags: { a: 'b_c' } },
    { tenant, isOrgLevel: false, tags: { a_b: 'c' } },
    { tenant, isOrgLevel: true, tags: { a: 'b_c' } },
    { tenant: { ...tenant, projectId: 'q' }, isOrgLevel: false, tags: { a: 'b_c' } },
  ];
  expect(new Set(identities.map(setIdOf)).size).toBe(identities.length);
});

test('keys are trimmed, sorted by code points, each once, none blank', () => {
  expect(tagKeys([' b', 'a', '', '  ', 'b', '\u{1F600}', '\uFF5E'])).toEqual([
    'a',
    'b',
    '\uFF5E',
    '\u{1F600}',
  ]);
});

test('an id without a known prefix is none', () => {
  expect(kindOfId('mem_user_set_anything')).toBe('user_set');
  expect(kindOfId('anything')).toBeUndefined();
});

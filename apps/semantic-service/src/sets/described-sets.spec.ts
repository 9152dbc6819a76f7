import { expect, test } from '@jest/globals';
import { describeSets, uidsOfTypes } from './described-sets.js';
import { type SetIdentity } from './set-identity.js';
import { type SetType } from './set.js';

const TENANT = { orgId: 'acme', projectId: 'main' };
const TYPES = 300;

let reads = 0;

/** A type that counts how often one looks at its tags. */
const typeOf = (key: string, projectUid: string | undefined): SetType => ({
  uid: `uid of ${key} ${projectUid}`,
  orgId: TENANT.orgId,
  projectUid,
  get tags() {
    reads += 1;
    return [key];
  },
  name: `name of ${key} ${projectUid}`,
  description: undefined,
});

const keys = Array.from({ length: TYPES }, (_, index) => `key_${index}`);
const types = keys.flatMap((key) => [typeOf(key, 'main'), typeOf(key, undefined)]);
const sets = keys.map((key): SetIdentity => ({ tenant: TENANT, isOrgLevel: false, tags: { [key]: 'v' } }));

test('sets are described by the types of their level and tags, each type looked at once', () => {
  const described = describeSets(sets, types);
  expect(described.map(({ name }) => name)).toEqual(keys.map((key) => `name of ${key} main`));
  expect(reads).toBe(2 * TYPES);
});

test('a set of no type has no name but that of a user', () => {
  const user: SetIdentity = { tenant: TENANT, isOrgLevel: true, tags: { producer_id: 'ada' } };
  const other: SetIdentity = { tenant: TENANT, isOrgLevel: true, tags: { room: 'kitchen' } };
  expect(describeSets([user, other], types).map(({ name }) => name)).toEqual(['User Profile', undefined]);
  expect(uidsOfTypes([user, ...sets.slice(0, 1)], types)).toEqual(['uid of key_0 main']);
});

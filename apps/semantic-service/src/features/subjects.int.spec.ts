import { describe, expect, test } from '@jest/globals';
import { type Filter, parseFilter } from '@loci/contracts';
import { useFreshSets } from '../../test/fresh-sets.js';
import { type SemanticSpec, specCitation, specDate } from '../../test/semantic-spec.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { ofUserIn } from '../search/user-features.js';
import { type MemorySet } from '../sets/set.js';
import { type FeatureChange } from './feature-change.js';
import { type Citation } from './feature.js';

const CATEGORY = 'profile';

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

const saidBy = (user: string): Citation => ({
  ...specCitation(project.uid),
  producerId: 'web',
  metadata: { user_id: user },
});

const says = (subject: string | undefined, value: string, ...citations: Citation[]): FeatureChange => ({
  kind: 'add',
  subject,
  tag: 'Home',
  name: 'city',
  value,
  citations,
});

const apply = (...changes: readonly FeatureChange[]) => spec.apply(set, CATEGORY, changes);

async function found(filter: string): Promise<string[]> {
  const parsed: Filter | undefined = parseFilter(filter);
  const { features } = await spec.features.list(
    fullScope(set),
    [set.uid],
    { filter: parsed },
    { offset: 0, limit: 50 },
  );
  return features.map(({ subject, value }) => `${subject ?? '-'}: ${value}`).sort();
}

describe('facts of several users in one set', () => {
  test('stand side by side under one name, each citing its own messages', async () => {
    await apply(says('mira', 'Oslo', saidBy('mira')), says('bob', 'Oslo', saidBy('bob')));
    await apply({ ...says('bob', 'Rome', saidBy('bob')), kind: 'update' } as FeatureChange);
    expect(await found('')).toEqual(['bob: Rome', 'mira: Oslo']);
    await apply({ kind: 'delete', subject: 'mira', tag: 'Home', name: 'city', citations: [saidBy('mira')] });
    expect(await found('')).toEqual(['bob: Rome']);
  });

  test('are found by their user, and nothing of others with them', async () => {
    await apply(says('mira', 'Oslo', saidBy('mira')), says('bob', 'Rome', saidBy('bob')));
    await apply(says('bob', 'Paris', saidBy('mira')), says('', 'rainy', saidBy('mira')));
    expect(await found("metadata.user_id='mira'")).toEqual(['mira: Oslo']);
    expect(await found("metadata.user_id='bob'")).toEqual(['bob: Rome']);
    expect(await found("metadata.user_id IN ('bob', 'ann')")).toEqual(['bob: Rome']);
    expect(await found("subject='bob'")).toEqual(['bob: Paris', 'bob: Rome']);
    expect(await found("NOT metadata.user_id='bob' AND value != 'rainy'")).toEqual([
      'bob: Paris',
      'mira: Oslo',
    ]);
    expect(await found("producer_id='web'")).toEqual(['bob: Rome', 'mira: Oslo']);
  });

  test('without a subject are found by what they cite, as before', async () => {
    await apply(says(undefined, 'Oslo', saidBy('mira'), saidBy('bob')));
    expect(await found("metadata.user_id='mira'")).toEqual(['-: Oslo']);
    expect(await found("metadata.user_id='ann'")).toEqual([]);
  });
});

describe('what others say of a user', () => {
  const hearsay = (kind: 'update' | 'delete', value = '') =>
    ({ ...says('bob', value, saidBy('mira')), kind, isHearsay: true }) as FeatureChange;

  test('changes nothing that the user said', async () => {
    await apply(says('bob', 'Rome', saidBy('bob')));
    await apply(hearsay('update', 'Paris'));
    await apply(hearsay('update', 'Nice'));
    expect(await found('')).toEqual(['bob: Nice', 'bob: Rome']);
    await apply(hearsay('delete'));
    expect(await found('')).toEqual(['bob: Rome']);
  });

  test.each(['add', 'update'] as const)('ends nothing that the user said: %s', async (kind) => {
    await apply(says('bob', 'Rome', saidBy('bob')));
    const change = { ...says('bob', 'Rome', saidBy('mira')), kind, validUntil: specDate('2024-06') };
    await apply({ ...change, isHearsay: true, isSingleValued: true } as FeatureChange);
    const [feature, ...others] = await spec.known(set);
    expect([feature?.value, feature?.validUntil, feature?.isSingleValued, others]).toEqual([
      'Rome',
      undefined,
      undefined,
      [],
    ]);
    expect((await spec.features.find(fullScope(set), feature?.uid ?? ''))?.citations).toHaveLength(2);
  });

  test('ends nothing that the user said when it comes to say the same', async () => {
    const { added } = await apply(says('bob', 'Rome', saidBy('bob')));
    await apply(hearsay('update', 'Paris'));
    await apply({ ...hearsay('update', 'Rome'), validUntil: specDate('2024-06') } as FeatureChange);
    const all = (await spec.known(set)).map(({ uid, value, validUntil, supersededBy }) => ({
      ...{ uid, value, isEnded: validUntil !== undefined, supersededBy },
    }));
    expect(all).toHaveLength(2);
    expect(all).toContainEqual({ uid: added[0], value: 'Rome', isEnded: false, supersededBy: undefined });
    expect(all).toContainEqual(
      expect.objectContaining({ value: 'Paris', isEnded: true, supersededBy: added[0] }),
    );
  });

  test('changes nothing that the user said and that has no subject', async () => {
    await apply(says(undefined, 'Rome', saidBy('bob')));
    await apply(hearsay('delete'));
    expect(await found('')).toEqual(['-: Rome']);
  });
});

describe('a consolidation', () => {
  const merge = async (value: string, ...features: readonly FeatureChange[]): Promise<string[]> => {
    const { added: uids } = await apply(...features);
    const by = [{ subject: 'bob', tag: 'Home', name: 'city', value }];
    const origin = { kind: 'consolidation', episodes: [] } as const;
    await spec.apply(set, CATEGORY, [{ kind: 'replace', uids, by }], origin);
    return found('');
  };

  test('merges what the user said, and what others say of the user, each by itself', async () => {
    const own = [says('bob', 'Roma', saidBy('bob')), says('bob', 'in Rome', saidBy('bob'))];
    const heard = [says('bob', 'Oslo', saidBy('mira')), says('bob', 'in Oslo', saidBy('ann'))];
    expect(await merge('Rome', ...own)).toEqual(['bob: Rome']);
    expect(await merge('Oslo, NO', ...heard)).toEqual(['bob: Oslo, NO', 'bob: Rome']);
    expect(await found("metadata.user_id='bob'")).toEqual(['bob: Rome']);
  });

  test('makes nothing that others say of a user the word of this user', async () => {
    const mixed = [says('bob', 'Rome', saidBy('bob')), says('bob', 'Oslo', saidBy('mira'))];
    expect(await merge('Rome and Oslo', ...mixed)).toEqual(['bob: Oslo', 'bob: Rome']);
    const heard = [says('bob', 'Roma', saidBy('mira')), says('bob', 'in Rome', saidBy('ann'))];
    expect(await merge('Rome', ...heard)).toEqual(['bob: Oslo', 'bob: Roma', 'bob: Rome', 'bob: in Rome']);
  });
});

test('what the key of a producer names as said by another user is not found by this user', async () => {
  const bound = (user: string): Citation => ({ ...saidBy(user), isBound: true });
  await apply(says('mira', 'Oslo', saidBy('mira')), says('mira', 'Rome', bound('mira')));
  await apply(says(undefined, 'Bonn', bound('mira')), says('web', 'Kyiv', bound('mira')));
  expect(await found("metadata.user_id='mira'")).toEqual(['mira: Oslo']);
  expect(await found("metadata.user_id='web'")).toEqual(['web: Kyiv']);
  expect(await found("subject='mira'")).toEqual(['mira: Oslo', 'mira: Rome']);
});

test('what is known of a user is read with what changed last first', async () => {
  await apply(says('mira', 'Oslo', saidBy('mira')), says('bob', 'Rome', saidBy('bob')));
  await apply(says('mira', 'Bergen', saidBy('mira')));
  const read = await spec.features.newestMatching(
    fullScope(set),
    [set.uid],
    { ofSets: ofUserIn('mira', [set]) },
    10,
  );
  expect(read.map(({ value }) => value)).toEqual(['Bergen', 'Oslo']);
});

test('adding to the facts of one user takes as many statements however many users there are', async () => {
  const statements = async (user: string): Promise<number> => {
    const change = says(user, user, saidBy(user));
    return spec.statementsOf(() => apply(change));
  };
  await statements('u-0');
  const first = await statements('u-00');
  const users = Array.from({ length: 200 }, (_, index) => `u-${index + 1}`);
  await apply(...users.map((user) => says(user, user, saidBy(user))));
  expect(await statements('u-999')).toBe(first);
});

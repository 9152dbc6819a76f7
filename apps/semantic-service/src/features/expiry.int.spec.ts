import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Instant, instantFromDate } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { useFreshSets } from '../../test/fresh-sets.js';
import { servicesOf } from '../../test/semantic-services.js';
import { type SemanticSpec, specCitation } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { type Category } from '../categories/category.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { type FeatureChange } from './feature-change.js';
import { type Citation } from './feature.js';
import { type ReadTime } from './held-features.js';

const MOOD = 'mood';
const DAY_S = 86_400;

let spec: SemanticSpec;
let project: OpenProject;
let set: MemorySet;
let category: Omit<Category, 'parent'>;

useFreshSets((fresh) => {
  ({ spec, project, set } = fresh);
});

/** Moods hold for thirty days. */
beforeEach(async () => {
  category = { uid: uuidv7(), name: MOOD, prompt: 'p', description: undefined, ttlSeconds: 30 * DAY_S };
  await spec.unitOfWork.run((tx) =>
    spec.categories.add({ ...category, parent: { setUid: set.uid } }, set, tx),
  );
});

const daysAgo = (days: number): Instant => instantFromDate(new Date(Date.now() - days * DAY_S * 1000));

const said = (days: number): Citation => ({ ...specCitation(project.uid), createdAt: daysAgo(days) });

const mood = (kind: 'add' | 'update', value: string, citation: Citation): FeatureChange => ({
  ...{ kind, tag: 'now', name: 'mood', value },
  citations: [citation],
});

const values = async (time: ReadTime = {}): Promise<string[]> => {
  const page = { offset: 0, limit: 10 };
  const { features } = await spec.features.list(fullScope(set), [set.uid], time, page);
  return features.map(({ value }) => value).sort();
};

test('what was last said too long ago is in no answer and not before the model, but can be listed', async () => {
  await spec.apply(set, MOOD, [mood('add', 'tired', said(31)), mood('add', 'glad', said(29))]);
  await spec.apply(set, 'profile', [mood('add', 'calm', said(31))]);
  expect(await values()).toEqual(['calm', 'glad']);
  expect(await values({ validity: 'expired' })).toEqual(['tired']);
  expect(await values({ validity: 'ended' })).toEqual([]);
  expect(await values({ validity: 'all' })).toEqual(['calm', 'glad', 'tired']);
  expect(await values({ asOf: daysAgo(0.5) })).toEqual(['calm', 'glad']);
  expect(await values({ asOf: daysAgo(10) })).toEqual(['calm', 'glad', 'tired']);
  expect(await values({ asOf: daysAgo(30) })).toEqual(['calm', 'tired']);
  const newest = await spec.features.newest({ ...set, setUid: set.uid }, MOOD, { limit: 10 });
  expect(newest.map(({ value }) => value)).toEqual(['glad']);
});

test('a new citation renews it, and its deletion takes that back', async () => {
  const again = said(1);
  const { added } = await spec.apply(set, MOOD, [mood('add', 'tired', said(31))]);
  expect(await values()).toEqual([]);
  expect((await spec.apply(set, MOOD, [mood('add', 'tired', again)])).updated).toEqual(added);
  expect(await values()).toEqual(['tired']);
  const uids = [again.episodeUid];
  await spec.forgetter.forgetDeleted({ projectUid: project.uid, uids, addedUntil: daysAgo(-1) });
  expect(await values()).toEqual([]);
  expect(await values({ validity: 'expired' })).toEqual(['tired']);
});

describe('a client that says it again', () => {
  const byClient = { kind: 'client', episodes: [] } as const;
  const says = (value: string) =>
    spec.apply(set, MOOD, [{ kind: 'add', tag: 'now', name: 'mood', value, citations: [] }], byClient);
  const age = (days: number): Promise<unknown> =>
    spec.query(
      `UPDATE ${SCHEMA}.features SET recorded_at = recorded_at - make_interval(days => $1),
         expires_at = expires_at - make_interval(days => $1)`,
      [days],
    );

  test('renews what it wrote, which held since it wrote that first', async () => {
    const { added } = await says('tired');
    await age(40);
    expect(await values({ validity: 'expired' })).toEqual(['tired']);
    expect((await says('tired')).updated).toEqual(added);
    expect(await values()).toEqual(['tired']);
    expect(await values({ asOf: daysAgo(39) })).toEqual(['tired']);
    expect(await values({ asOf: daysAgo(41) })).toEqual([]);
  });

  test('renews what a message said, which held since that was said, and undo takes that back', async () => {
    await spec.apply(set, MOOD, [mood('add', 'tired', said(50))]);
    await age(40);
    const { updated } = await says('tired');
    expect(await values()).toEqual(['tired']);
    expect(await values({ asOf: daysAgo(49) })).toEqual(['tired']);
    const { features } = await spec.features.list(fullScope(set), [set.uid], {}, { offset: 0, limit: 1 });
    expect(features[0]?.validFrom).toBeUndefined();
    const asked = { tenant: project.tenant, organization: 'change', idempotency: undefined } as const;
    await servicesOf(spec).history.undo({ ...asked, featureId: updated[0] ?? '', changeId: undefined });
    expect(await values({ validity: 'expired' })).toEqual(['tired']);
  });
});

test('what expired ends like any other when something else is said', async () => {
  await spec.apply(set, MOOD, [mood('add', 'tired', said(31))]);
  await spec.apply(set, MOOD, [mood('update', 'glad', said(1))]);
  expect(await values()).toEqual(['glad']);
  expect(await values({ validity: 'expired' })).toEqual([]);
  expect(await values({ validity: 'ended' })).toEqual(['tired']);
});

test('another time to live counts for what is known, and brings back what expired', async () => {
  await spec.apply(set, MOOD, [mood('add', 'tired', said(31)), mood('add', 'glad', said(29))]);
  await spec.apply(set, 'profile', [mood('add', 'calm', said(100))]);
  const live = async (days: number): Promise<string[]> => {
    await servicesOf(spec).categories.update({
      tenant: project.tenant,
      organization: 'change',
      categoryId: category.uid,
      ttlSeconds: days * DAY_S,
    });
    return values();
  };
  expect(await live(32)).toEqual(['calm', 'glad', 'tired']);
  expect(await live(30)).toEqual(['calm', 'glad']);
  expect(await live(28)).toEqual(['calm']);
  expect(await live(0)).toEqual(['calm', 'glad', 'tired']);
});

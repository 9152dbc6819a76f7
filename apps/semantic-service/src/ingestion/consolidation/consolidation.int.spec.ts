import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { datedFromIso } from '@loci/contracts';
import { KeyRing, type LanguageModel, ModelFactory, SecretBox } from '@loci/models';
import { Metrics } from '@loci/platform';
import { FakeModels } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { servicesOf } from '../../../test/semantic-services.js';
import { SemanticSpec, specAdd, specCitation } from '../../../test/semantic-spec.js';
import { type ConflictsService } from '../../conflicts/conflicts.service.js';
import { SCHEMA } from '../../database.js';
import { type HistoryService } from '../../editing/history.service.js';
import { SemanticServiceEnv } from '../../env.js';
import { type FeatureChange } from '../../features/feature-change.js';
import { byClient } from '../../features/feature-origins.js';
import { type FeatureRecord } from '../../features/feature.js';
import { validityOf } from '../../features/validity.js';
import { type IngestionCategory } from '../extraction/extraction-prompt.js';
import { WrittenFeatureStore } from '../extraction/written-feature-store.js';
import { type Claim } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { type OpenProject, scopeOf } from '../../projects/project.js';
import { FeatureContext } from '../../search/feature-context.js';
import { type FeatureSearch } from '../../search/feature-search.js';
import { KnownFeaturesRepository } from '../../search/known-features.repository.js';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { type CallRecords } from '../model-calls/call-records.js';
import { MeteredModel } from '../usage/metered-model.js';
import { ModelQuotas } from '../usage/model-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { ConsolidationsRepository } from './consolidations.repository.js';
import { Consolidator, MAX_REGROWTH } from './consolidator.js';

/** Of the set of a project. */
const CATEGORY = 'profile';
const OTHER = 'work';

let spec: SemanticSpec;
let fake: FakeModels;
let gpt: LanguageModel;
let project: OpenProject;
let set: MemorySet;
let consolidator: Consolidator;
let categories: readonly IngestionCategory[];
let service: HistoryService;
let conflicts: ConflictsService;
let jobs: JobsRepository;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  fake = await FakeModels.start();
  const factory = new ModelFactory({
    references: { environment: {}, prefix: 'LOCI_MODEL_SECRET_' },
    secretBox: new SecretBox(KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`)),
    egress: { allowPrivate: true },
    metrics: new Metrics('test'),
    localEmbedder: () => Promise.reject(new Error('none here')),
  });
  gpt = await factory.languageModel({
    kind: 'language_model',
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: { base_url: fake.openAiUrl, api_key: 'key', model: 'gpt' },
  });
  jobs = new JobsRepository(spec.unitOfWork);
  const context = new FeatureContext(new KnownFeaturesRepository(spec.unitOfWork), search);
  const store = new WrittenFeatureStore(spec.writer, spec.features, spec.history, spec.proposals, context);
  const notes = new ConsolidationsRepository(spec.unitOfWork);
  const { ingestionSets: sets, history, categories: definitions, ...others } = servicesOf(spec);
  service = history;
  ({ conflicts } = others);
  const env = new SemanticServiceEnv();
  const { unitOfWork, outbox, logger, callRecords } = spec;
  const calls: Pick<CallRecords, 'ask' | 'noteMade'> = {
    ask: async (...call) => {
      const reply = await callRecords.ask(...call);
      await meanwhile();
      return reply;
    },
    noteMade: (...made) => callRecords.noteMade(...made),
  };
  consolidator = new Consolidator(store, notes, sets, jobs, unitOfWork, outbox, logger, calls, env);
  project = await spec.newProject();
  set = await spec.newSet(project);
  const own = { prompt: 'p', description: undefined, idempotency: undefined };
  await definitions.add({ ...own, ...asked(), setId: set.id, name: OTHER });
  ({ categories } = await sets.describe(set.uid));
});

afterAll(async () => {
  await gpt.close();
  await fake.close();
  await spec.close();
});

/** Consolidates once more, if enough has come. */
let again: () => Promise<boolean>;

/** Happens while the model is asked. */
let meanwhile = (): Promise<unknown> => Promise.resolve();

/** What is searched for when not all features are shown. */
const sought: string[] = [];

/** Finds what has the last word of the query. */
const search = {
  search: async ({ meaning, topK }) => {
    sought.push(meaning.text);
    const word = meaning.text.split(' ').at(-1) ?? '';
    const all = await spec.features.newest(locationOf(set), CATEGORY, { limit: 1_000 });
    const found = all.filter(({ value }) => value.endsWith(word)).slice(0, topK);
    return { features: found.map((feature) => ({ ...feature, score: 1 })), degraded: [] };
  },
} as Pick<FeatureSearch, 'search'> as FeatureSearch;

async function claimed(): Promise<Claim> {
  await spec.query(
    `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid, state, ordered_at) VALUES ($1, $2, $3, 'due', now())`,
    [set.uid, set.orgId, set.projectUid],
  );
  const claim = await jobs.claim(60_000);
  if (!claim) throw new Error('nothing was due');
  return claim;
}

/** All that there is of the features of the tag, to be compared. */
const state = (): Promise<FeatureRecord[]> =>
  spec.unitOfWork.run(async (tx) => {
    const records = await Promise.all(
      [CATEGORY, OTHER].map((category) => spec.features.records(locationOf(set), { category }, tx)),
    );
    return records.flat().sort((a, b) => (a.uid < b.uid ? -1 : 1));
  });

/** Features that were learned, twenty where nothing else is said, and what a model makes of them. */
async function consolidated(
  merge: (added: readonly string[]) => object[],
  learned: Readonly<Record<string, readonly FeatureChange[]>> = { [CATEGORY]: facts(20) },
  happens: (added: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
  contradict: (added: readonly string[]) => string[][] = () => [],
): Promise<{ readonly before: FeatureRecord[]; readonly added: readonly string[]; readonly claim: Claim }> {
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_jobs`);
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_consolidations`);
  await spec.query(`DELETE FROM ${SCHEMA}.features`);
  const added: string[] = [];
  for (const [category, changes] of Object.entries(learned)) {
    added.push(...(await spec.apply(set, category, changes)).added);
  }
  const before = await state();
  fake.reset();
  const contradictions = contradict(added);
  fake.reply('"keep_memories"', { consolidated_memories: merge(added), keep_memories: [], contradictions });
  meanwhile = () => happens(added);
  const claim = await claimed();
  const usage = new UsageRepository(spec.unitOfWork);
  const limits = {
    QUOTA_MODEL_CALLS_PER_DAY: 1_000,
    QUOTA_MODEL_TOKENS_PER_DAY: 1_000_000,
    QUOTA_MODEL_COST_PER_DAY: 1_000,
  };
  const quotas = new ModelQuotas(spec.unitOfWork, limits);
  const model = new MeteredModel({ model: gpt, prices: undefined }, claim, usage, quotas, spec.logger);
  const work = { claim, categories, model, signal: new AbortController().signal };
  again = async () => {
    const grown = await consolidator.grown(work, [undefined]);
    if (grown) await consolidator.consolidate(work, grown);
    return grown !== undefined;
  };
  expect(await again()).toBe(true);
  expect(await again()).toBe(false);
  return { before, added, claim };
}

function facts(count: number): FeatureChange[] {
  return Array.from({ length: count }, (_, index) => specAdd(`fact ${index}`, specCitation(project.uid)));
}

const asked = () => ({ tenant: project.tenant, organization: 'change' }) as const;

const merged = (value: string, replaces: readonly string[]): object => ({
  tag: 'facts',
  feature: 'fact',
  value,
  replaces,
});

describe('a consolidation', () => {
  test('merges citations of what it replaces, and leaves what no merge names', async () => {
    const { added, before, claim } = await consolidated(([a = '', b = '', c = '', d = '']) => [
      merged('one and two', [a, b]),
      merged('three and four', [c, d]),
    ]);
    const after = await state();
    expect(after).toHaveLength(18);
    const citedBy = (records: readonly FeatureRecord[]): string[] =>
      records.flatMap(({ citations }) => citations.map(({ episodeUid }) => episodeUid)).sort();
    const made = after.filter(({ value }) => value === 'one and two');
    expect(citedBy(made)).toEqual(citedBy(before.filter(({ uid }) => added.slice(0, 2).includes(uid))));
    const { entries } = await service.list({ ...asked(), featureId: added[0] ?? '' });
    expect(entries[0]).toMatchObject({
      action: 'remove',
      origin: { kind: 'consolidation', model: 'gpt', jobId: `${set.uid}:${claim.attempt}` },
    });
  });

  test('that keeps nothing, and says of its one merged feature nothing, takes nothing away', async () => {
    const { before } = await consolidated(() => [{ tag: 'facts', feature: 'fact', value: 'all in one' }]);
    expect(await state()).toEqual(before);
  });

  test('that takes away more than its share takes nothing away', async () => {
    const { before } = await consolidated((added) => [merged('all in one', added)]);
    expect(await state()).toEqual(before);
  });

  test('brings back nothing that was taken away or changed while the model was asked', async () => {
    const removed = 'of one that was removed';
    const changed = 'of one that says something else';
    await consolidated(
      ([a = '', b = '', c = '', d = '', e = '', f = '']) => [
        merged(removed, [a, b]),
        merged(changed, [c, d]),
        merged('as it was', [e, f]),
      ],
      undefined,
      async ([a = '', , c = '']) => {
        await spec.apply(set, CATEGORY, [{ kind: 'remove', uids: [a] }], byClient());
        const before = (await state()).find(({ uid }) => uid === c);
        if (!before) throw new Error('the third is gone');
        const record = { ...before, value: 'taken back to this' };
        await spec.unitOfWork.run((tx) =>
          spec.writer.write(tx, record, before, { ...byClient(), kind: 'undo' }),
        );
      },
    );
    const values = (await state()).map(({ value }) => value);
    expect(values).not.toContain(removed);
    expect(values).not.toContain(changed);
    expect(values).toContain('as it was');
    expect(values).toHaveLength(18);
  });

  const joinTen = (added: readonly string[]): object[] => [
    merged('first', added.slice(0, 5)),
    merged('second', added.slice(5, 10)),
  ];

  test('is one change of its set, and is taken back as a whole by the id of any feature in it', async () => {
    for (const pick of ['merged', 'replaced'] as const) {
      const { before, added } = await consolidated(joinTen);
      const request = { ...asked(), setId: set.id, pageSize: 10, pageNum: 0 };
      const { changes, total } = await service.changes(request);
      expect(total).toBeGreaterThanOrEqual(2);
      expect(changes[0]).toMatchObject({ origin: 'consolidation', model: 'gpt' });
      const touched = changes[0]?.features ?? [];
      expect(touched.filter(({ action }) => action === 'add')).toHaveLength(2);
      expect(
        touched.flatMap(({ action, featureUid }) => (action === 'remove' ? [featureUid] : [])).sort(),
      ).toEqual(added.slice(0, 10).sort());
      const made = touched.find(({ action }) => action === 'add')?.featureUid ?? '';
      const featureId = pick === 'merged' ? made : (added[0] ?? '');
      await service.undo({ ...asked(), featureId, changeId: undefined, idempotency: undefined });
      expect(await state()).toEqual(before);
    }
  });

  test('is not made again once a client has taken it back; what has come since is merged', async () => {
    const { before, added } = await consolidated(joinTen);
    const request = { ...asked(), setId: set.id, pageSize: 1, pageNum: 0 };
    const changeIds = (await service.changes(request)).changes.map(({ uid }) => uid);
    await service.undoChanges({ ...asked(), setId: set.id, changeIds, idempotency: undefined });
    const more = Array.from({ length: MAX_REGROWTH }, (_, index) =>
      specAdd(`later ${index}`, specCitation(project.uid)),
    );
    const { added: later } = await spec.apply(set, CATEGORY, more);
    fake.reset();
    const [first = '', second = ''] = later;
    const merges = [...joinTen(added), merged('of both times', [added[19] ?? '', first, second])];
    fake.reply('"keep_memories"', { consolidated_memories: merges, keep_memories: [] });
    expect(await again()).toBe(true);
    const values = (await state()).map(({ value }) => value);
    expect(values).toHaveLength(before.length + more.length - 2);
    expect(values).toContain('of both times');
    expect(values).not.toContain('first');
  });

  test('merges what has different tags and names, in each category by itself, as one change', async () => {
    const lives = (tag: string, name: string, value: string): FeatureChange => ({
      ...{ kind: 'add', tag, name, value },
      citations: [specCitation(project.uid)],
    });
    const { before, added } = await consolidated(
      (uids) => [
        { tag: 'home', feature: 'city', value: 'Graz', replaces: uids.slice(0, 2) },
        { tag: 'job', feature: 'employer', value: 'Acme', replaces: uids.slice(20, 22) },
        { tag: 'home', feature: 'mixed', value: 'of two categories', replaces: [uids[5], uids[25]] },
      ],
      {
        [CATEGORY]: [lives('home', 'city', 'Graz'), lives('where', 'residence', 'in Graz'), ...facts(18)],
        [OTHER]: [lives('job', 'employer', 'Acme'), lives('career', 'works for', 'Acme Ltd'), ...facts(4)],
      },
    );
    const after = await state();
    expect(after).toHaveLength(before.length - 2);
    const made = after.filter(({ uid }) => !added.includes(uid));
    expect(made.map(({ category, tag, name, value }) => [category, tag, name, value]).sort()).toEqual([
      [CATEGORY, 'home', 'city', 'Graz'],
      [OTHER, 'job', 'employer', 'Acme'],
    ]);
    const request = { ...asked(), setId: set.id, pageSize: 1, pageNum: 0 };
    const changeIds = (await service.changes(request)).changes.map(({ uid }) => uid);
    await service.undoChanges({ ...asked(), setId: set.id, changeIds, idempotency: undefined });
    expect(await state()).toEqual(before);
  });

  test('leaves apart what says the same of different times, and tells the model the dates', async () => {
    const flies = (name: string, value: string, from: string, until: string): FeatureChange => ({
      ...{ kind: 'add', tag: 'trips', name, value },
      validFrom: datedFromIso(from),
      validUntil: datedFromIso(until),
      citations: [specCitation(project.uid)],
    });
    const { before, added } = await consolidated(
      (uids) => [merged('to Oslo twice', uids.slice(0, 2)), merged('to Rome', uids.slice(2, 4))],
      {
        [CATEGORY]: [
          flies('trip', 'to Oslo', '2097-03-20', '2097-03-26'),
          flies('travel', 'to Oslo', '2098-03-20', '2098-03-26'),
          flies('journey', 'to Rome', '2099-03', '2099-03-26'),
          flies('flight', 'Rome again', '2099-03-20', '2099-03-26'),
          ...facts(16),
        ],
      },
    );
    const after = await state();
    const made = after.find(({ value, uid }) => value === 'to Rome' && !added.includes(uid));
    expect(after).toHaveLength(before.length - 1);
    const trips = after.filter(({ tag }) => tag === 'trips');
    expect(trips.map(({ uid }) => uid)).toEqual([...added.slice(0, 2), made?.uid]);
    expect(validityOf(made?.dates).validUntil?.at).toBe('2099-03-26T00:00:00.000000Z');
    const [{ body } = {}] = fake.calls();
    expect(JSON.stringify(body)).toContain(String.raw`\"from\":\"2099-03\",\"ends\":\"2099-03-26\"`);
  });

  test('of many features compares the newest with what is like them, and shows no more than a hundred', async () => {
    const old = [specAdd('the cat is called Miau', specCitation(project.uid)), ...facts(300)];
    const { added } = await consolidated(() => [], { [CATEGORY]: old });
    sought.length = 0;
    fake.reset();
    fake.reply('"keep_memories"', { consolidated_memories: [], keep_memories: [] });
    const said = [specAdd('she has a cat, Miau', specCitation(project.uid)), ...facts(340).slice(300)];
    await spec.apply(set, CATEGORY, said);
    await spec.query(`UPDATE ${SCHEMA}.features SET updated_at = now() WHERE value = 'she has a cat, Miau'`);
    expect(await again()).toBe(true);
    const [{ body } = {}] = fake.calls();
    expect(sought).toHaveLength(MAX_REGROWTH);
    const prompt = JSON.stringify(body);
    expect(prompt).toContain('she has a cat, Miau');
    expect(prompt).toContain(added[0]);
    expect(prompt.split('metadata').length - 1).toBeLessThanOrEqual(100);
  });

  test('of a subject of which very much is known is made again when twenty have come since', async () => {
    await consolidated(() => []);
    await spec.query(
      `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client, created_at, updated_at)
       SELECT gen_random_uuid(), set_uid, org_id, project_uid, category, tag, name, 'known ' || step, '{}', false, now() - interval '1 day', now() - interval '1 day'
       FROM (SELECT * FROM ${SCHEMA}.features LIMIT 1) AS known, generate_series(1, 1200) AS step`,
    );
    expect(await again()).toBe(false);
    await spec.apply(set, CATEGORY, facts(39).slice(20));
    expect(await again()).toBe(false);
    await spec.apply(set, CATEGORY, facts(40).slice(39));
    expect(await again()).toBe(true);
    expect(await again()).toBe(false);
  });

  test('is taken back by its change id, with others or alone, and that once more', async () => {
    const { before } = await consolidated(joinTen);
    const after = await state();
    const request = { ...asked(), setId: set.id, pageSize: 2, pageNum: 0 };
    const latest = async (count: number): Promise<string[]> =>
      (await service.changes(request)).changes.slice(0, count).map(({ uid }) => uid);
    const undo = (changeIds: readonly string[]): Promise<void> =>
      service.undoChanges({ ...asked(), setId: set.id, changeIds, idempotency: undefined });
    await undo(await latest(1));
    expect(await state()).toEqual(before);
    await undo(await latest(1));
    expect(await state()).toEqual(after);
    await undo(await latest(2));
    expect(await state()).toEqual(after);
    await expect(undo([...(await latest(1)), set.uid])).rejects.toMatchObject({ code: 'change_not_found' });
    expect(await state()).toEqual(after);
  });
});

describe('what a consolidation finds to contradict each other', () => {
  const lives = (tag: string, name: string, value: string): FeatureChange => ({
    ...{ kind: 'add', tag, name, value },
    citations: [specCitation(project.uid)],
  });
  const homes = (): FeatureChange[] => [
    lives('Address', 'home', 'Valencia'),
    lives('Location', 'residence', 'Gothenburg'),
    lives('Address', 'flat', 'Valencia, Spain'),
  ];
  const found = (
    merge: (added: readonly string[]) => object[] = () => [],
    happens?: (added: readonly string[]) => Promise<unknown>,
  ): ReturnType<typeof consolidated> =>
    consolidated(
      merge,
      { [CATEGORY]: [...homes(), ...facts(17)], [OTHER]: facts(2) },
      happens,
      ([a = '', b = '', , d = '', ...others]) => [
        [a, b],
        [d, others.at(-1) ?? ''],
      ],
    );
  const listed = async (): Promise<string[][]> =>
    (await conflicts.list({ ...asked(), pageSize: 10, pageNum: 0 })).conflicts.map((features) =>
      features.map(({ value }) => value),
    );
  const said = async (value: string): Promise<FeatureRecord> => {
    const record = (await state()).find((one) => one.value === value);
    if (!record) throw new Error(`nothing says ${value}`);
    return record;
  };
  const change = (value: string, by: Extract<FeatureChange, { kind: 'update' }>['value']): Promise<unknown> =>
    said(value).then(({ tag, name }) =>
      spec.apply(
        set,
        CATEGORY,
        [{ kind: 'update', tag, name, value: by, citations: [specCitation(project.uid)] }],
        byClient(),
      ),
    );

  test('is in conflict under any tags and names of one category, and is settled and taken back like any other', async () => {
    const { added, before } = await found();
    expect(await listed()).toEqual([['Valencia', 'Gothenburg']]);
    for (const [uid, other] of [added, added.slice(0, 2).reverse()]) {
      const shown = await spec.features.find(scopeOf(project, 'change'), uid ?? '');
      expect(shown?.feature.conflictsWith).toEqual([uid === added[0] ? added[1] : other]);
    }
    await conflicts.settle({ ...asked(), featureId: added[1] ?? '' });
    expect(await listed()).toEqual([]);
    expect(validityOf((await said('Valencia')).dates)).toMatchObject({ supersededBy: added[1] });
    const request = { ...asked(), setId: set.id, pageSize: 1, pageNum: 0 };
    const undo = async (): Promise<void> => {
      const changeIds = (await service.changes(request)).changes.map(({ uid }) => uid);
      await service.undoChanges({ ...asked(), setId: set.id, changeIds, idempotency: undefined });
    };
    await undo();
    expect(await listed()).toEqual([['Valencia', 'Gothenburg']]);
    const consolidation = (await service.changes({ ...request, pageSize: 3 })).changes.at(-1);
    expect(consolidation?.origin).toBe('consolidation');
    const changeIds = [consolidation?.uid ?? ''];
    await service.undoChanges({ ...asked(), setId: set.id, changeIds, idempotency: undefined });
    expect(await state()).toEqual(before);
    expect(await listed()).toEqual([]);
  });

  test('is none any more once one of the two says something else, and again when that is taken back', async () => {
    const { added } = await found();
    await change('Valencia', 'Gothenburg, too');
    expect(await listed()).toEqual([]);
    const featureId = added[0] ?? '';
    await service.undo({ ...asked(), featureId, changeId: undefined, idempotency: undefined });
    expect(await listed()).toEqual([['Valencia', 'Gothenburg']]);
  });

  test('is not noted of what changed while the model was asked', async () => {
    await found(undefined, () => change('Valencia', 'Gothenburg, too'));
    expect(await listed()).toEqual([]);
  });

  test('contradicts what it becomes by a merge', async () => {
    const valencia = 'Valencia in Spain';
    const { before } = await found(([a, , c]) => [
      { tag: 'Address', feature: 'home', value: valencia, replaces: [a, c] },
    ]);
    expect(await listed()).toEqual([['Gothenburg', valencia]]);
    const { uid: featureId } = await said(valencia);
    await service.undo({ ...asked(), featureId, changeId: undefined, idempotency: undefined });
    expect(await state()).toEqual(before);
  });

  test('contradicts what it becomes one with by saying the very same', async () => {
    await found();
    const one = { ...(await said('Valencia')), uid: uuidv7(), value: 'València', contradicts: undefined };
    const writing = (record: FeatureRecord, before?: FeatureRecord): Promise<string> =>
      spec.unitOfWork.run((tx) => spec.writer.write(tx, record, before, byClient()));
    await writing(one);
    await writing({ ...one, value: 'Valencia' }, one);
    expect((await said('Valencia')).uid).toBe(one.uid);
    expect((await listed()).map((pair) => pair.toSorted())).toEqual([['Gothenburg', 'Valencia']]);
  });

  test('is none for a client who says that it has several values', async () => {
    await found();
    const record = await said('Valencia');
    const after = { ...record, isSingleValued: false };
    await spec.unitOfWork.run((tx) => spec.writer.write(tx, after, record, byClient()));
    expect(await listed()).toEqual([]);
  });
});

test('two writers who add the very same at once make one feature, which cites what both had read', async () => {
  const [first, second] = [specCitation(project.uid), specCitation(project.uid)];
  const writes = [first, second, first, second].map((citation) =>
    spec.apply(set, 'doubles', [specAdd('said by both', citation), specAdd('and more', citation)]),
  );
  await Promise.all(writes);
  const found = await spec.features.newest(locationOf(set), 'doubles', { limit: 10 });
  expect(found.map(({ value }) => value).sort()).toEqual(['and more', 'said by both']);
  for (const { uid } of found) {
    const cited = await spec.features.find(scopeOf(project, 'change'), uid);
    expect([...(cited?.citations ?? [])].sort()).toEqual([first.episodeUid, second.episodeUid].sort());
  }
});

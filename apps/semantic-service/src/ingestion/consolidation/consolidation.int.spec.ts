import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyRing, type LanguageModel, ModelFactory, SecretBox } from '@loci/models';
import { Metrics } from '@loci/platform';
import { FakeModels } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { servicesOf } from '../../../test/semantic-services.js';
import { SemanticSpec, specAdd, specCitation } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { type HistoryService } from '../../editing/history.service.js';
import { SemanticServiceEnv } from '../../env.js';
import { type FeatureRecord } from '../../features/feature.js';
import { WrittenFeatureStore } from '../extraction/written-feature-store.js';
import { type Claim } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { type OpenProject, scopeOf } from '../../projects/project.js';
import { type FeatureContext } from '../../search/feature-context.js';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { MeteredModel } from '../usage/metered-model.js';
import { ModelQuotas } from '../usage/model-quotas.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { ConsolidationsRepository } from './consolidations.repository.js';
import { Consolidator } from './consolidator.js';

/** Of the set of a project. */
const CATEGORY = 'profile';

let spec: SemanticSpec;
let fake: FakeModels;
let gpt: LanguageModel;
let project: OpenProject;
let set: MemorySet;
let consolidator: Consolidator;
let service: HistoryService;
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
  // consolidation asks for no context: it is shown the whole tag
  const store = new WrittenFeatureStore(
    spec.writer,
    spec.features,
    spec.proposals,
    undefined as unknown as FeatureContext,
  );
  const notes = new ConsolidationsRepository(spec.unitOfWork);
  const { ingestionSets: sets, history } = servicesOf(spec);
  service = history;
  const env = new SemanticServiceEnv();
  const { unitOfWork, outbox, logger, callRecords } = spec;
  consolidator = new Consolidator(store, notes, sets, jobs, unitOfWork, outbox, logger, callRecords, env);
  project = await spec.newProject();
  set = await spec.newSet(project);
});

afterAll(async () => {
  await gpt.close();
  await fake.close();
  await spec.close();
});

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
    const records = await spec.features.records(locationOf(set), { category: CATEGORY }, tx);
    return records.sort((a, b) => (a.uid < b.uid ? -1 : 1));
  });

/** Twenty features, and what a model makes of them. */
async function consolidated(
  merge: (added: readonly string[]) => object[],
  keep: (added: readonly string[]) => readonly string[] = () => [],
): Promise<{ readonly before: FeatureRecord[]; readonly added: readonly string[]; readonly claim: Claim }> {
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_jobs`);
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_consolidations`);
  await spec.query(`DELETE FROM ${SCHEMA}.features WHERE category = $1`, [CATEGORY]);
  const changes = Array.from({ length: 20 }, (_, index) =>
    specAdd(`fact ${index}`, specCitation(project.uid)),
  );
  const { added } = await spec.apply(set, CATEGORY, changes);
  const before = await state();
  fake.reset();
  fake.reply('"keep_memories"', { consolidated_memories: merge(added), keep_memories: keep(added) });
  const claim = await claimed();
  const usage = new UsageRepository(spec.unitOfWork);
  const limits = { QUOTA_MODEL_CALLS_PER_DAY: 1_000, QUOTA_MODEL_TOKENS_PER_DAY: 1_000_000 };
  const quotas = new ModelQuotas(spec.unitOfWork, limits);
  const model = new MeteredModel({ model: gpt, prices: undefined }, claim, usage, quotas, spec.logger);
  const category = { name: CATEGORY, prompt: '', tags: new Map<string, string>() };
  const work = { claim, category, model, signal: new AbortController().signal };
  await consolidator.consolidate(work, [undefined]);
  return { before, added, claim };
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
    const [latest] = await service.list({ ...asked(), featureId: added[0] ?? '' });
    expect(latest).toMatchObject({
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

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KeyRing, type LanguageModel, ModelFactory, SecretBox } from '@loci/models';
import { type RpcClient } from '@loci/messaging';
import { Idempotency } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { FakeModels } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { BuiltInDefaults } from '../categories/built-in-defaults.js';
import { CategoriesService } from '../categories/categories.service.js';
import { SCHEMA } from '../database.js';
import { HistoryService } from '../editing/history.service.js';
import { SemanticServiceEnv } from '../env.js';
import { CategoryFeatures } from '../features/category-features.js';
import { type FeatureRecord } from '../features/feature.js';
import { LedgerFeatureStore } from '../ingestion/ledger-feature-store.js';
import { type Claim } from '../jobs/job.js';
import { TypeormJobsRepository } from '../jobs/typeorm-jobs.repository.js';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { RegisteredResources } from '../resources/registered-resources.js';
import { type FeatureContext } from '../search/feature-context.js';
import { type MemorySet } from '../sets/set.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { SetsService } from '../sets/sets.service.js';
import { MeteredModel } from '../usage/metered-model.js';
import { TypeormUsageRepository } from '../usage/typeorm-usage.repository.js';
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
let jobs: TypeormJobsRepository;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  fake = await FakeModels.start();
  const factory = new ModelFactory({
    environment: {},
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
  jobs = new TypeormJobsRepository(spec.unitOfWork);
  // consolidation asks for no context: it is shown the whole tag
  const store = new LedgerFeatureStore(spec.ledger, undefined as unknown as FeatureContext);
  const notes = new ConsolidationsRepository(spec.unitOfWork);
  consolidator = new Consolidator(store, notes, jobs, spec.unitOfWork, spec.outbox, spec.logger);
  project = await spec.newProject();
  set = await spec.newSet(project);
});

afterAll(async () => {
  await gpt.close();
  await fake.close();
  await spec.close();
});

/** What undoes changes, as the api has it. */
function historyService(): HistoryService {
  const env = new SemanticServiceEnv();
  const rpc = undefined as unknown as RpcClient;
  const { projects, unitOfWork, features, ledger, outbox, history } = spec;
  const idempotency = new Idempotency({ url: spec.url, schema: SCHEMA, entities: [] }, unitOfWork);
  const projectsService = new ProjectsService(projects, rpc, env);
  const sets = new SetsService(spec.sets, projectsService, new RegisteredResources(rpc), idempotency, outbox);
  const categories = new CategoriesService(
    spec.categories,
    sets,
    new SetTypesService(spec.sets, projectsService, idempotency),
    new CategoryFeatures(features, ledger),
    projectsService,
    new BuiltInDefaults(env),
    idempotency,
    outbox,
  );
  return new HistoryService(
    history,
    features,
    ledger,
    sets,
    categories,
    projectsService,
    idempotency,
    outbox,
  );
}

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
    const records = await spec.features.records(set.uid, { category: CATEGORY }, tx);
    return records.sort((a, b) => (a.uid < b.uid ? -1 : 1));
  });

test('a consolidation merges citations, tells its history, and is undone exactly, feature by feature', async () => {
  const citations = Array.from({ length: 20 }, () => specCitation(project.uid));
  const changes = citations.map((citation, index) => specAdd(`fact ${index}`, citation));
  const { added } = await spec.apply(set, CATEGORY, changes);
  const before = await state();
  const [kept = '', ...replaced] = added;
  fake.reply('"delete_memories"', {
    consolidated_memories: [{ tag: 'facts', feature: 'fact', value: 'nineteen facts' }],
    keep_memories: [kept],
  });
  const claim = await claimed();
  const usage = new TypeormUsageRepository(spec.unitOfWork);
  const model = new MeteredModel({ model: gpt, prices: undefined }, claim, usage, spec.logger);
  await consolidator.consolidate({ claim, category: CATEGORY, model, signal: new AbortController().signal });

  const after = await state();
  expect(after.map(({ value }) => value).sort()).toEqual(['fact 0', 'nineteen facts']);
  const merged = after.find(({ uid }) => uid !== kept);
  expect(merged?.citations.map(({ episodeUid }) => episodeUid).sort()).toEqual(
    citations
      .slice(1)
      .map(({ episodeUid }) => episodeUid)
      .sort(),
  );
  const service = historyService();
  for (const uid of replaced) {
    const [latest] = await service.list(project.tenant, uid);
    expect(latest).toMatchObject({
      action: 'remove',
      origin: { kind: 'consolidation', model: 'gpt', jobId: `${set.uid}:${claim.attempt}` },
    });
  }

  const undo = (featureId: string): Promise<void> =>
    service.undo({ tenant: project.tenant, featureId, changeId: undefined, idempotency: undefined });
  await undo(merged?.uid ?? '');
  for (const uid of replaced) await undo(uid);
  expect(await state()).toEqual(before);
});

test('two writers who add the very same at once make one feature, which cites what both had read', async () => {
  const [first, second] = [specCitation(project.uid), specCitation(project.uid)];
  const writes = [first, second, first, second].map((citation) =>
    spec.apply(set, 'twins', [specAdd('said by both', citation), specAdd('and more', citation)]),
  );
  await Promise.all(writes);
  const found = await spec.features.newest(set.uid, 'twins', { limit: 10 });
  expect(found.map(({ value }) => value).sort()).toEqual(['and more', 'said by both']);
  for (const { uid } of found) {
    const cited = await spec.features.find({ orgId: set.orgId, projectUid: project.uid }, uid);
    expect([...(cited?.citations ?? [])].sort()).toEqual([first.episodeUid, second.episodeUid].sort());
  }
});

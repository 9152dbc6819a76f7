import { type RpcClient } from '@loci/messaging';
import { Idempotency, QuotaLimits } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { BuiltInDefaults } from '../src/categories/built-in-defaults.js';
import { CategoriesService } from '../src/categories/categories.service.js';
import { CategoryClearing } from '../src/categories/category-clearing.js';
import { CategoryQuota } from '../src/categories/category-quota.js';
import { SetTypeRemoval } from '../src/categories/set-type-removal.js';
import { ConflictsRepository } from '../src/conflicts/conflicts.repository.js';
import { ConflictsService } from '../src/conflicts/conflicts.service.js';
import { KnownSubjects } from '../src/subjects/known-subjects.js';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { ChangeReversal } from '../src/editing/change-reversal.js';
import { CitedEpisodes } from '../src/editing/cited-episodes.js';
import { EditingService } from '../src/editing/editing.service.js';
import { HistoryService } from '../src/editing/history.service.js';
import { SemanticServiceEnv } from '../src/env.js';
import { CategoryFeatures } from '../src/features/category-features.js';
import { RegisteredSets } from '../src/ingestion/extraction/registered-sets.js';
import { ProposalsService } from '../src/proposals/proposals.service.js';
import { ProjectsService } from '../src/projects/projects.service.js';
import { RegisteredResources } from '../src/resources/registered-resources.js';
import { NewSets } from '../src/sets/new-sets.js';
import { SetTypeQuota } from '../src/sets/set-type-quota.js';
import { SetTypesService } from '../src/sets/set-types.service.js';
import { SetsService } from '../src/sets/sets.service.js';
import { type SemanticSpec } from './semantic-spec.js';

export interface SpecServices {
  readonly setTypes: SetTypesService;
  readonly categories: CategoriesService;
  readonly setTypeRemoval: SetTypeRemoval;
  readonly editing: EditingService;
  readonly history: HistoryService;
  readonly proposals: ProposalsService;
  readonly conflicts: ConflictsService;
  /** As ingestion sees sets. */
  readonly ingestionSets: RegisteredSets;
}

/** The door through which sets are registered. */
export const newSetsOf = (
  spec: Pick<SemanticSpec, 'sets' | 'unitOfWork'>,
  env: SemanticServiceEnv,
): NewSets =>
  new NewSets(
    spec.sets,
    new QuotaLimits({ schema: SCHEMA }, spec.unitOfWork),
    spec.unitOfWork,
    env,
    new Metrics('spec'),
  );

/** What answers clients, as the api has it, but for other services: none can be asked. */
export function servicesOf(spec: SemanticSpec, env = new SemanticServiceEnv()): SpecServices {
  const { unitOfWork, features, writer, outbox } = spec;
  const rpc = undefined as unknown as RpcClient;
  const idempotency = new Idempotency({ url: spec.url, schema: SCHEMA, entities: ENTITIES }, unitOfWork);
  const projects = new ProjectsService(spec.projects, rpc, env);
  const newSets = newSetsOf(spec, env);
  const sets = new SetsService(
    spec.sets,
    newSets,
    projects,
    new RegisteredResources(rpc),
    idempotency,
    outbox,
  );
  const quotaLimits = new QuotaLimits({ schema: SCHEMA }, unitOfWork);
  const typeQuota = new SetTypeQuota(spec.sets, quotaLimits, unitOfWork, env, new Metrics('spec'));
  const setTypes = new SetTypesService(spec.sets, typeQuota, projects, idempotency);
  const categoryFeatures = new CategoryFeatures(features, writer, spec.history, unitOfWork);
  const clearing = new CategoryClearing(spec.categories, categoryFeatures, unitOfWork);
  const categoryQuota = new CategoryQuota(quotaLimits, unitOfWork, env, new Metrics('spec'));
  const categories = new CategoriesService(
    spec.categories,
    categoryQuota,
    sets,
    setTypes,
    categoryFeatures,
    clearing,
    projects,
    new BuiltInDefaults(env),
    idempotency,
    outbox,
  );
  const reversal = new ChangeReversal(features, spec.history, writer, sets, categories);
  return {
    setTypes,
    categories,
    setTypeRemoval: new SetTypeRemoval(
      setTypes,
      spec.sets,
      spec.categories,
      clearing,
      projects,
      idempotency,
      outbox,
    ),
    editing: new EditingService(
      features,
      writer,
      sets,
      categories,
      projects,
      new CitedEpisodes(rpc),
      idempotency,
      outbox,
    ),
    history: new HistoryService(spec.history, features, reversal, sets, projects, idempotency, outbox),
    proposals: new ProposalsService(spec.proposals, features, writer, sets, projects, idempotency, outbox),
    conflicts: new ConflictsService(
      new ConflictsRepository(unitOfWork),
      features,
      writer,
      sets,
      projects,
      new KnownSubjects(sets, unitOfWork),
      idempotency,
      outbox,
    ),
    ingestionSets: new RegisteredSets(unitOfWork, categories, spec.categories, features),
  };
}

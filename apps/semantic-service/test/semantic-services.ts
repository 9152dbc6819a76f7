import { type RpcClient } from '@loci/messaging';
import { Idempotency } from '@loci/persistence';
import { BuiltInDefaults } from '../src/categories/built-in-defaults.js';
import { CategoriesService } from '../src/categories/categories.service.js';
import { SetTypeRemoval } from '../src/categories/set-type-removal.js';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { ChangeReversal } from '../src/editing/change-reversal.js';
import { HistoryService } from '../src/editing/history.service.js';
import { SemanticServiceEnv } from '../src/env.js';
import { CategoryFeatures } from '../src/features/category-features.js';
import { RegisteredSets } from '../src/ingestion/extraction/registered-sets.js';
import { ProjectsService } from '../src/projects/projects.service.js';
import { RegisteredResources } from '../src/resources/registered-resources.js';
import { SetTypesService } from '../src/sets/set-types.service.js';
import { SetsService } from '../src/sets/sets.service.js';
import { type SemanticSpec } from './semantic-spec.js';

export interface SpecServices {
  readonly setTypes: SetTypesService;
  readonly categories: CategoriesService;
  readonly setTypeRemoval: SetTypeRemoval;
  readonly history: HistoryService;
  /** As ingestion sees sets. */
  readonly ingestionSets: RegisteredSets;
}

/** What answers clients, as the api has it, but for other services: none can be asked. */
export function servicesOf(spec: SemanticSpec): SpecServices {
  const { unitOfWork, features, ledger, outbox } = spec;
  const env = new SemanticServiceEnv();
  const rpc = undefined as unknown as RpcClient;
  const idempotency = new Idempotency({ url: spec.url, schema: SCHEMA, entities: ENTITIES }, unitOfWork);
  const projects = new ProjectsService(spec.projects, rpc, env);
  const sets = new SetsService(spec.sets, projects, new RegisteredResources(rpc), idempotency, outbox);
  const setTypes = new SetTypesService(spec.sets, projects, idempotency);
  const categoryFeatures = new CategoryFeatures(features, ledger);
  const categories = new CategoriesService(
    spec.categories,
    sets,
    setTypes,
    categoryFeatures,
    projects,
    new BuiltInDefaults(env),
    idempotency,
    outbox,
  );
  const reversal = new ChangeReversal(features, ledger, sets, categories);
  return {
    setTypes,
    categories,
    setTypeRemoval: new SetTypeRemoval(
      setTypes,
      spec.sets,
      spec.categories,
      categoryFeatures,
      projects,
      idempotency,
      outbox,
    ),
    history: new HistoryService(spec.history, reversal, sets, projects, idempotency, outbox),
    ingestionSets: new RegisteredSets(unitOfWork, categories, spec.categories, features),
  };
}

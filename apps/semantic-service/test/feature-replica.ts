import { AppError, type Tenant, unavailable } from '@loci/contracts';
import {
  ContentIndexer,
  type Embedders,
  FirstCollections,
  type IndexVersion,
  IndexVersions,
  ReembeddingPlanner,
  IndexMarksRepository,
  IndexVersionsRepository,
  ReembeddingsRepository,
  IndexVersionBuilder,
  VectorCollections,
  VectorServiceEnv,
  WordChanges,
  WordStatisticsRepository,
} from '@loci/indexing';
import { Embedder } from '@loci/models';
import { Database, Outbox, runMigrations, UnitOfWork } from '@loci/persistence';
import { eventually, RecordingLogger } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { FeatureIndexRepository } from '../src/feature-index/feature-index.repository.js';
import { FeatureWriter } from '../src/features/feature-writer.js';
import { FeatureHistoryRepository } from '../src/features/feature-history.repository.js';
import { FeaturesRepository } from '../src/features/features.repository.js';
import { type IndexedFeature } from '../src/indexing/feature-points.js';
import { IndexedFeatures } from '../src/indexing/indexed-features.js';
import { IndexStateRepository } from '../src/indexing/index-state.repository.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { ProjectsRepository } from '../src/projects/projects.repository.js';
import { type MemorySet, toSet } from '../src/sets/set.js';
import { SetsRepository } from '../src/sets/sets.repository.js';
import { FeatureTable } from '../src/indexing/feature-table.js';

export const migrate = (url: string): Promise<string[]> =>
  runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });

/** An embedder to which all texts mean the same; it counts what it is asked for. */
export class SpecEmbedder extends Embedder {
  /** Called before each batch; may throw. */
  before: () => Promise<void> = () => Promise.resolve();
  /** What a text means: the number of a direction; by default all mean the same. */
  meaningOf: (text: string) => number = () => 0;
  embedded = 0;

  constructor(
    override readonly fingerprint: string,
    override readonly dimensions: number,
  ) {
    super();
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    await this.before();
    this.embedded += texts.length;
    return texts.map((text) => {
      const meaning = this.meaningOf(text);
      return Float32Array.from({ length: this.dimensions }, (_, at) => (at === meaning ? 1 : 0));
    });
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface FeatureReplicaOptions {
  readonly databaseUrl: string;
  readonly qdrant: { readonly url: string; readonly apiKey: string };
  /** Of the collections; one of its own for each test file. */
  readonly prefix: string;
  /** By name; those that are missing are not ready. */
  readonly embedders: ReadonlyMap<string, SpecEmbedder>;
  readonly defaultName: () => string;
  readonly leaseMs: number;
}

/** What one replica of the service has of PostgreSQL and Qdrant, without the process. */
export class FeatureReplica {
  readonly logger = new RecordingLogger();
  readonly unitOfWork: UnitOfWork;
  readonly projects: ProjectsRepository;
  readonly sets: SetsRepository;
  readonly writer: FeatureWriter;
  readonly features: FeaturesRepository;
  readonly index: IndexStateRepository;
  readonly marks: IndexMarksRepository;
  readonly progress: FeatureIndexRepository;
  readonly reembeddings: ReembeddingsRepository;
  readonly indexVersionRows: IndexVersionsRepository;
  readonly collections: VectorCollections;
  readonly indexVersions: IndexVersions;
  readonly content: IndexedFeatures;
  readonly indexer: ContentIndexer<IndexedFeature>;
  readonly planner: ReembeddingPlanner;
  readonly builder: IndexVersionBuilder;
  readonly words: WordStatisticsRepository;

  private constructor(
    private readonly database: Database,
    { qdrant, prefix, embedders, defaultName, leaseMs }: FeatureReplicaOptions,
  ) {
    const unitOfWork = new UnitOfWork(database);
    const table = new FeatureTable();
    const outbox = new Outbox({ url: '', schema: SCHEMA, entities: ENTITIES }, unitOfWork, this.logger);
    const find = (name: string) => {
      const found = embedders.get(name);
      if (found) return Promise.resolve(found);
      return Promise.reject(unavailable('resource_not_ready', `Embedder '${name}' is not ready.`));
    };
    const named: Pick<Embedders, 'named' | 'namedSoon' | 'waitFor' | 'waitForRows' | 'defaultName'> = {
      get defaultName() {
        return defaultName();
      },
      named: find,
      namedSoon: find,
      waitFor: (_, work) => work(AbortSignal.any([])),
      waitForRows: (_, work) => work(),
    };
    this.unitOfWork = unitOfWork;
    this.projects = new ProjectsRepository(unitOfWork);
    this.sets = new SetsRepository(unitOfWork);
    this.features = new FeaturesRepository(unitOfWork);
    const history = new FeatureHistoryRepository(unitOfWork);
    this.writer = new FeatureWriter(this.features, history, this.projects, outbox);
    this.index = new IndexStateRepository(unitOfWork);
    this.marks = new IndexMarksRepository(unitOfWork, table);
    this.progress = new FeatureIndexRepository(unitOfWork);
    this.reembeddings = new ReembeddingsRepository(unitOfWork, table);
    this.indexVersionRows = new IndexVersionsRepository(unitOfWork, table);
    this.collections = new VectorCollections({ ...qdrant, prefix });
    const firstCollections = new FirstCollections(this.indexVersionRows, this.collections);
    this.indexVersions = new IndexVersions(
      ...([this.indexVersionRows, this.collections, named as Embedders, firstCollections] as const),
    );
    this.content = new IndexedFeatures(this.index);
    this.words = new WordStatisticsRepository(unitOfWork, table);
    this.indexer = new ContentIndexer(this.indexVersions, this.content, new WordChanges());
    this.planner = new ReembeddingPlanner(
      named as Embedders,
      this.reembeddings,
      firstCollections,
      this.logger,
    );
    const env = Object.assign(new VectorServiceEnv(), { LEASE_MS: leaseMs });
    this.builder = new IndexVersionBuilder(
      ...([env, this.reembeddings, this.indexVersions, this.content, this.indexer, this.logger] as const),
    );
  }

  static async open(options: FeatureReplicaOptions): Promise<FeatureReplica> {
    const database = await Database.connect(
      { url: options.databaseUrl, schema: SCHEMA, entities: ENTITIES, poolSize: 8 },
      new RecordingLogger(),
    );
    return new FeatureReplica(database, options);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** The set of a project that was not used before. */
  async openSet(): Promise<MemorySet> {
    const projectUid = uuidv7();
    const tenant: Tenant = { orgId: 'acme', projectId: projectUid };
    await this.projects.open({ tenant, projectUid });
    const set = toSet({ tenant, isOrgLevel: false, tags: {} }, projectUid);
    await this.sets.register([set]);
    return set;
  }

  /** Adds features as a client does, or gives those of these names other values. @returns their uids */
  async write(
    { uid: setUid, orgId, projectUid }: MemorySet,
    values: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    const changes = Object.entries(values).map(([name, value]) => ({
      ...({ kind: 'update', tag: 'tag', name, value, citations: [] } as const),
    }));
    const location = { setUid, orgId, projectUid };
    const origin = { kind: 'client', episodes: [] } as const;
    const { added, updated } = await this.unitOfWork.run((tx) =>
      this.writer.apply(tx, { location, category: 'spec', changes, origin }),
    );
    return [...added, ...updated];
  }

  async remove(set: MemorySet, uids: readonly string[]): Promise<void> {
    const { uid: setUid, orgId, projectUid } = set;
    const origin = { kind: 'client', episodes: [] } as const;
    await this.unitOfWork.run((tx) =>
      this.writer.apply(tx, {
        location: { setUid, orgId, projectUid },
        category: 'spec',
        origin,
        changes: [{ kind: 'remove', uids }],
      }),
    );
  }

  /** Brings everything of a set that waits into the index, as the worker does; an embedder that takes long is waited for. */
  async indexWaiting({ uid }: MemorySet): Promise<void> {
    const { items } = await this.index.waiting(uid, { rows: 1_000, bytes: 1_000_000 });
    const uids = items.map((feature) => feature.uid);
    await this.indexer.bringInLine(uid, uids).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'embedder_unavailable')) throw error;
    });
    await eventually(async () => (await this.index.waiting(uid, { rows: 1, bytes: 1 })).count === 0, {
      what: 'what the embedder goes on with in the background is in the index',
    });
  }

  /** The index versions of a set, by embedder. */
  async indexVersionsOf({ uid }: MemorySet): Promise<Record<string, IndexVersion['state']>> {
    const { indexVersions } = await this.indexVersionRows.of(uid);
    return Object.fromEntries(indexVersions.map(({ embedder, state }) => [embedder, state]));
  }
}

import { type Dated, datedFromIso, type Instant, type Tenant } from '@loci/contracts';
import { Database, Outbox, runMigrations, UnitOfWork } from '@loci/persistence';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { countStatements } from './count-statements.js';
import { CategoriesRepository } from '../src/categories/categories.repository.js';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { EpisodeForgetter } from '../src/erasure/episode-forgetter.js';
import { ErasureRepository } from '../src/erasure/erasure.repository.js';
import { type AppliedChanges, type FeatureChange } from '../src/features/feature-change.js';
import { FeatureWriter } from '../src/features/feature-writer.js';
import { type ChangeOrigin, type Citation, type Feature } from '../src/features/feature.js';
import { FeatureHistoryRepository } from '../src/features/feature-history.repository.js';
import { FeaturesRepository } from '../src/features/features.repository.js';
import { BacklogRepository } from '../src/ingestion/backlog/backlog.repository.js';
import { CallRecords } from '../src/ingestion/model-calls/call-records.js';
import { ModelCallsRepository } from '../src/ingestion/model-calls/model-calls.repository.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { fullScope, type OpenProject } from '../src/projects/project.js';
import { ProjectsRepository } from '../src/projects/projects.repository.js';
import { ProposalsRepository } from '../src/proposals/proposals.repository.js';
import { type MemorySet, toSet } from '../src/sets/set.js';
import { SetsRepository } from '../src/sets/sets.repository.js';

/** Open proposals that a set of these specs may have. */
export const MAX_PROPOSALS_PER_SET = 3;

/** Calls of models that are kept of a project of these specs. */
export const MAX_MODEL_CALLS_PER_PROJECT = 5;

const INGESTED: ChangeOrigin = { kind: 'ingestion', jobId: 'job', model: 'model', episodes: [] };

/** A database as the migrations leave it, with everything that keeps sets and features in it. */
export class SemanticSpec {
  readonly logger = new RecordingLogger();
  readonly unitOfWork: UnitOfWork;
  readonly outbox: Outbox;
  readonly projects: ProjectsRepository;
  readonly sets: SetsRepository;
  readonly categories: CategoriesRepository;
  readonly features: FeaturesRepository;
  readonly history: FeatureHistoryRepository;
  readonly writer: FeatureWriter;
  readonly proposals: ProposalsRepository;
  readonly modelCalls: ModelCallsRepository;
  readonly callRecords: CallRecords;
  readonly erasure: ErasureRepository;
  readonly backlog: BacklogRepository;
  readonly forgetter: EpisodeForgetter;

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly database: Database,
  ) {
    const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
    this.unitOfWork = new UnitOfWork(database);
    this.outbox = new Outbox(options, this.unitOfWork, this.logger);
    this.projects = new ProjectsRepository(this.unitOfWork);
    this.sets = new SetsRepository(this.unitOfWork);
    this.categories = new CategoriesRepository(this.unitOfWork);
    this.features = new FeaturesRepository(this.unitOfWork);
    this.history = new FeatureHistoryRepository(this.unitOfWork);
    this.writer = new FeatureWriter(this.features, this.history, this.projects, this.outbox);
    this.proposals = new ProposalsRepository(this.unitOfWork, { MAX_PROPOSALS_PER_SET });
    this.modelCalls = new ModelCallsRepository(this.unitOfWork, this.projects, this.features, {
      MAX_MODEL_CALLS_PER_PROJECT,
    });
    this.callRecords = new CallRecords(this.modelCalls, this.logger);
    this.erasure = new ErasureRepository(this.unitOfWork);
    this.backlog = new BacklogRepository(this.unitOfWork);
    this.forgetter = new EpisodeForgetter(
      this.projects,
      this.erasure,
      this.features,
      this.writer,
      this.backlog,
      this.unitOfWork,
      this.outbox,
    );
  }

  static async create(): Promise<SemanticSpec> {
    const testDatabase = await TestDatabase.create();
    const { url } = testDatabase;
    await runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });
    const options = { url, schema: SCHEMA, entities: ENTITIES, poolSize: 8 };
    return new SemanticSpec(testDatabase, await Database.connect(options, new RecordingLogger()));
  }

  get url(): string {
    return this.testDatabase.url;
  }

  /** An open project. */
  async newProject(tenant: Tenant = { orgId: 'acme', projectId: uuidv7() }): Promise<OpenProject> {
    const project = { uid: uuidv7(), tenant };
    await this.projects.open({ tenant, projectUid: project.uid });
    return project;
  }

  /** The registered set of a project, or of its organization. */
  async newSet(
    { tenant, uid }: OpenProject,
    { isOrgLevel = false, tags = {} }: { isOrgLevel?: boolean; tags?: Readonly<Record<string, string>> } = {},
  ): Promise<MemorySet> {
    const set = toSet({ tenant, isOrgLevel, tags }, uid);
    await this.sets.register([set]);
    return set;
  }

  /** Changes features of a category, as an ingestion does unless it is said otherwise. */
  apply(
    set: MemorySet,
    category: string,
    changes: readonly FeatureChange[],
    origin: ChangeOrigin = INGESTED,
  ): Promise<AppliedChanges> {
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    return this.unitOfWork.run((tx) => this.writer.apply(tx, { location, category, changes, origin }));
  }

  /** The features of a set, those that ended among them unless it is said otherwise. */
  async known(set: MemorySet, validity: 'all' | 'current' = 'all'): Promise<readonly Feature[]> {
    const page = { offset: 0, limit: 100 };
    return (await this.features.list(fullScope(set), [set.uid], { validity }, page)).features;
  }

  /** Hears that episodes of a project were deleted. */
  forget(projectUid: string, uids: readonly string[], addedUntil = ADDED_FIRST): Promise<void> {
    return this.forgetter.forgetDeleted({ projectUid, uids, addedUntil });
  }

  /** How many statements some work takes, with those that begin and end its transactions. */
  statementsOf(work: () => Promise<unknown>): Promise<number> {
    return countStatements(this.database, work);
  }

  /** Sees the rows of everybody. */
  query<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.testDatabase.query<Row>(sql, parameters);
  }

  /** Whether a transaction waits for what another one has locked. */
  async isBlocked(): Promise<boolean> {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await this.query(waiting)).length > 0;
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }
}

/** When every episode of a spec was added, and when those that came under the uids of deleted ones. */
export const ADDED_FIRST = '2024-05-01T10:00:00.000002Z' as Instant;
export const ADDED_AGAIN = '2024-05-01T10:00:00.000003Z' as Instant;

/** @param text a year, a day or a moment, as ISO 8601 has it */
export function specDate(text: string): Dated {
  const dated = datedFromIso(text);
  if (!dated) throw new Error(text);
  return dated;
}

export const specCitation = (projectUid: string, episodeUid = uuidv7(), addedAt = ADDED_FIRST): Citation => ({
  episodeUid,
  projectUid,
  producerId: 'ada',
  producerRole: 'user',
  producedForId: '',
  createdAt: '2024-05-01T10:00:00.000001Z' as Instant,
  addedAt,
  metadata: { room: 'kitchen' },
});

export const specAdd = (value: string, ...citations: Citation[]): FeatureChange => ({
  kind: 'add',
  tag: 'facts',
  name: 'fact',
  value,
  citations,
});

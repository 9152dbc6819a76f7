import {
  episodicProjectsErased,
  type Instant,
  instantFromIso,
  type ProjectReference,
  type Tenant,
  unavailable,
} from '@loci/contracts';
import {
  ComparisonsRepository,
  type IndexVersion,
  IndexMarksRepository,
  IndexVersionsRepository,
  ReembeddingsRepository,
  WordStatisticsRepository,
} from '@loci/indexing';
import {
  Database,
  ErasedProjects,
  Idempotency,
  Outbox,
  ROWS_OF_ALL,
  runMigrations,
  UnitOfWork,
  WorkLeases,
} from '@loci/persistence';
import { type Logger, PinoLogger } from '@loci/platform';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { Conversations } from '../src/episodes/conversations.js';
import { type NewEpisode, type NewEpisodes } from '../src/episodes/episode.js';
import { EpisodeCounts } from '../src/episodes/episode-counts.js';
import { EpisodesRepository } from '../src/episodes/episodes.repository.js';
import { EpisodeSweeps } from '../src/indexing/episode-sweeps.js';
import { IndexStateRepository } from '../src/indexing/index-state.repository.js';
import { MemorySettings } from '../src/memory/memory-settings.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { EpisodeTable } from '../src/indexing/episode-table.js';
import { SummariesRepository } from '../src/summaries/summaries.repository.js';
import { ProjectsRepository } from '../src/projects/projects.repository.js';

const OPTIONS = { url: '', schema: SCHEMA, entities: ENTITIES };

export const migrate = (url: string): Promise<string[]> =>
  runMigrations({ url, schema: SCHEMA, migrations: MIGRATIONS });

/** An instant that a test writes down itself. @throws Error for what is none */
export function instant(iso: string): Instant {
  const found = instantFromIso(iso);
  if (!found) throw new Error(`${iso} is no instant.`);
  return found;
}

export const CONVERSATIONS = new Conversations('session_id,thread_id');

/** A registry that never answered: everything is as delivered. */
const NO_REGISTRY = {
  get memory(): never {
    throw unavailable('registry_unavailable', 'Not known.');
  },
};

/** What one replica of the service has of the database: connections and repositories of its own. */
export class Replica {
  readonly unitOfWork: UnitOfWork;
  readonly projects: ProjectsRepository;
  readonly leases: WorkLeases;
  readonly erased: ErasedProjects;
  readonly episodes: EpisodesRepository;
  readonly index: IndexStateRepository;
  readonly counts: EpisodeCounts;
  readonly sweeps: EpisodeSweeps;
  readonly marks: IndexMarksRepository;
  readonly comparisons: ComparisonsRepository;
  readonly indexVersions: IndexVersionsRepository;
  readonly reembeddings: ReembeddingsRepository;
  readonly words: WordStatisticsRepository;
  readonly summaries: SummariesRepository;

  private constructor(
    private readonly database: Database,
    logger: Logger,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.projects = new ProjectsRepository(this.unitOfWork);
    this.leases = new WorkLeases(OPTIONS, this.unitOfWork);
    this.erased = new ErasedProjects(
      { schema: SCHEMA, projectTables: ['episodes'], announcement: episodicProjectsErased },
      this.unitOfWork,
      new Idempotency(OPTIONS, this.unitOfWork),
      new Outbox(OPTIONS, this.unitOfWork, logger),
      this.leases,
      logger,
    );
    this.counts = new EpisodeCounts(this.unitOfWork);
    const settings = new MemorySettings(NO_REGISTRY);
    this.episodes = new EpisodesRepository(this.unitOfWork, settings, CONVERSATIONS, this.counts);
    this.marks = new IndexMarksRepository(this.unitOfWork, new EpisodeTable());
    this.comparisons = new ComparisonsRepository(this.unitOfWork, new EpisodeTable());
    this.indexVersions = new IndexVersionsRepository(this.unitOfWork, new EpisodeTable());
    this.words = new WordStatisticsRepository(this.unitOfWork, new EpisodeTable());
    this.reembeddings = new ReembeddingsRepository(this.unitOfWork, new EpisodeTable());
    this.summaries = new SummariesRepository(this.unitOfWork);
    this.index = new IndexStateRepository(this.unitOfWork);
    this.sweeps = new EpisodeSweeps(this.index);
  }

  static async open(url: string): Promise<Replica> {
    const logger = new PinoLogger({ service: 'spec', level: 'silent' });
    return new Replica(await Database.connect({ ...OPTIONS, url, poolSize: 12 }, logger), logger);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** How many episodes a project has. */
  async count(projectUid: string): Promise<number> {
    return (await this.counts.matching(projectUid, undefined)).count;
  }

  /**
   * Stores many episodes that feed semantic memory alone, quicker than adds do.
   * @param createdAt SQL for when the one of number `n` was said, from 1 on
   */
  async addMany(projectUid: string, count: number, createdAt: string): Promise<void> {
    await this.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO episodic.episodes
             (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata, created_at, in_short_term,
              in_long_term, is_semantic)
           SELECT gen_random_uuid(), $1, 'said', 'ann', 'user', '', '{}', ${createdAt}, false, false, true
           FROM generate_series(1, $2::int) AS n`,
          [projectUid, count],
        ),
      ROWS_OF_ALL,
    );
  }

  /** Opens a project that was not used before. */
  async openProject(orgId = 'acme'): Promise<ProjectReference> {
    const projectUid = uuidv7();
    const tenant = { orgId, projectId: projectUid };
    await this.projects.open({ tenant, projectUid, models: { embedder: '', reranker: '', revision: 0 } });
    return { tenant, projectUid };
  }

  /** Gives a project its active index version in a collection. */
  async activate({ projectUid }: ProjectReference, fingerprint: string): Promise<IndexVersion> {
    const model = { embedder: 'spec', fingerprint, dimensions: 4 };
    await this.indexVersions.addCollection(model);
    await this.indexVersions.activate(projectUid, model);
    const { indexVersions } = await this.indexVersions.of(projectUid);
    const active = indexVersions.find(({ state }) => state === 'active');
    if (!active) throw new Error('The project is not open.');
    return active;
  }

  /** Adds one episode per text, one after the other. @returns their uids */
  async addEach(tenant: Tenant, contents: readonly string[]): Promise<string[]> {
    const uids: string[] = [];
    for (const content of contents) {
      const batch = batchOf({ content });
      if (!(await this.episodes.add(tenant, batch))) throw new Error('The project is not open.');
      uids.push(...batch.episodes.map(({ uid }) => uid));
    }
    return uids;
  }
}

/** Episodes for a test that cares only about what it names. */
export const batchOf = (...episodes: readonly Partial<NewEpisode>[]): NewEpisodes => ({
  types: ['episodic', 'semantic'],
  episodes: episodes.map((episode) => ({
    uid: uuidv7(),
    content: 'x',
    producerId: 'user',
    producerRole: '',
    producedForId: '',
    metadata: {},
    ...episode,
  })),
});

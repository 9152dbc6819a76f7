import { type Instant, instantFromIso, type ProjectReference, type Tenant } from '@loci/contracts';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../src/database.js';
import { type NewEpisode, type NewEpisodes } from '../src/episodes/episode.js';
import { TypeormEpisodesRepository } from '../src/episodes/typeorm-episodes.repository.js';
import { TypeormIndexStateRepository } from '../src/indexing/typeorm-index-state.repository.js';
import { Episodes1763700000001 } from '../src/migrations/0001-episodes.js';
import { RowSecurity1763700000010 } from '../src/migrations/0002-row-security.js';
import { TypeormProjectsRepository } from '../src/projects/typeorm-projects.repository.js';

export const migrate = (url: string): Promise<string[]> =>
  runMigrations({ url, schema: SCHEMA, migrations: [Episodes1763700000001, RowSecurity1763700000010] });

/** An instant that a test writes down itself. @throws Error for what is none */
export function instant(iso: string): Instant {
  const found = instantFromIso(iso);
  if (!found) throw new Error(`${iso} is no instant.`);
  return found;
}

/** What one replica of the service has of the database: connections and repositories of its own. */
export class Replica {
  readonly unitOfWork: UnitOfWork;
  readonly projects: TypeormProjectsRepository;
  readonly episodes: TypeormEpisodesRepository;
  readonly index: TypeormIndexStateRepository;

  private constructor(private readonly database: Database) {
    this.unitOfWork = new UnitOfWork(database);
    this.projects = new TypeormProjectsRepository(this.unitOfWork);
    this.episodes = new TypeormEpisodesRepository(this.unitOfWork);
    this.index = new TypeormIndexStateRepository(this.unitOfWork);
  }

  static async open(url: string): Promise<Replica> {
    const logger = new PinoLogger({ service: 'spec', level: 'silent' });
    return new Replica(await Database.connect({ url, schema: SCHEMA, entities: [], poolSize: 12 }, logger));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Opens a project that nobody used before. */
  async openProject(): Promise<ProjectReference> {
    const projectUid = uuidv7();
    const tenant = { orgId: 'acme', projectId: projectUid };
    await this.projects.open({ tenant, projectUid });
    return { tenant, projectUid };
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

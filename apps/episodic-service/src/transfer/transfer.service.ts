import {
  episodesAdded,
  type ExportEpisodesRequest,
  type ImportedEpisode,
  type ImportEpisodesRequest,
  type LocatedEpisode,
  type LocateEpisodesRequest,
  projectBeingDeleted,
  type Tenant,
} from '@loci/contracts';
import { importedUid, Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import {
  type EpisodeToImport,
  type NamedProject,
  type TransferredEpisode,
  TransferRepository,
} from './transfer.repository.js';

/** Text that one answer carries; written as JSON it may be several times as much, and has to fit into a message. */
const MAX_PAGE_BYTES = 1024 * 1024;

@Injectable()
export class TransferService {
  constructor(
    private readonly transfer: TransferRepository,
    private readonly projects: ProjectsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** @returns the next episodes in sequence; none at the end @throws AppError `project_not_found` */
  async export({ tenant, after }: ExportEpisodesRequest): Promise<TransferredEpisode[]> {
    const { uid } = await this.projects.get(tenant);
    return this.transfer.next(uid, after, MAX_PAGE_BYTES);
  }

  /**
   * Stores what is missing with the events that announce it, all or none.
   * @returns how many episodes were stored
   * @throws AppError `project_being_deleted`
   */
  async import({ tenant, episodes }: ImportEpisodesRequest): Promise<number> {
    const { uid: projectUid } = (await this.projects.find(tenant)) ?? (await this.created(tenant));
    const given = episodes.map((episode) => toImport(episode, projectUid));
    const added = await this.unitOfWork.run(async (tx) => {
      const stored = await this.transfer.insertMissing({ tenant, projectUid }, given, tx);
      if (!stored) throw projectBeingDeleted(tenant);
      const isStored = new Set(stored);
      await this.announce(
        { tenant, projectUid },
        given.filter(({ uid }) => isStored.has(uid)),
        tx,
      );
      return stored.length;
    });
    this.outbox.wake();
    return added;
  }

  /** Those of the episodes that are here. A missing project has none. */
  async locate({ tenant, sourceUids }: LocateEpisodesRequest): Promise<LocatedEpisode[]> {
    const project = await this.projects.find(tenant);
    if (!project) return [];
    const sources = new Map(sourceUids.map((source) => [importedUid(source, project.uid), source]));
    for (const source of sourceUids) if (isUuid(source)) sources.set(source.toLowerCase(), source);
    const found = await this.transfer.locate(project.uid, [...sources.keys()]);
    return found.map((episode) => ({ ...episode, sourceUid: sources.get(episode.uid) ?? episode.uid }));
  }

  private async created(tenant: Tenant): Promise<OpenProject> {
    await this.projects.ensureOpen(tenant);
    return this.projects.get(tenant);
  }

  /** One event for each combination of memories, as an add has; episodes that feed none are not announced. */
  private async announce(
    project: NamedProject,
    episodes: readonly EpisodeToImport[],
    tx: Transaction,
  ): Promise<void> {
    const byTypes = new Map<string, EpisodeToImport[]>();
    for (const episode of episodes) {
      const key = [...episode.types].sort().join();
      byTypes.set(key, [...(byTypes.get(key) ?? []), episode]);
    }
    for (const together of byTypes.values()) {
      const types = together[0]?.types ?? [];
      if (types.length === 0) continue;
      const uids = [...new Set(together.map(({ uid }) => uid))];
      await this.outbox.append(tx, episodesAdded, { ...project, types, uids });
    }
  }
}

/** Its uid depends on the project and the source uid alone; the project's own uid makes it unique. */
function toImport({ sourceUid, ingested, ...episode }: ImportedEpisode, projectUid: string): EpisodeToImport {
  const types = [...new Set(episode.types)];
  return {
    ...episode,
    uid: importedUid(sourceUid, projectUid),
    sourceUid: isUuid(sourceUid) ? sourceUid.toLowerCase() : undefined,
    types,
    ingested: types.includes('semantic') ? ingested : undefined,
  };
}

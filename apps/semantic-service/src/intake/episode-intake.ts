import {
  type DescribedEpisode,
  describeEpisodes,
  type EpisodesReference,
  type IngestedSet,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { type IncomingEpisode, type IncomingSet } from './backlog.js';
import { IntakeService } from './intake.service.js';

/** Brings episodes into the backlogs of all sets that they belong to. */
@Injectable()
export class EpisodeIntake {
  constructor(
    private readonly rpc: RpcClient,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly intake: IntakeService,
  ) {}

  /**
   * Harmless when repeated. Episodes that are deleted, or whose project is closed, are left out.
   * @param receivedAt when they were added
   */
  async take(reference: EpisodesReference, receivedAt: Date): Promise<void> {
    const project = await this.projects.admitReference(reference);
    if (!project) return;
    const { tenant } = project;
    const { episodes } = await this.rpc.call(describeEpisodes, { tenant, uids: reference.uids });
    await this.intake.take(async (tx) => {
      await this.projects.hold(project, tx);
      const incoming = await this.withSets(project, episodes, tx);
      return { tenant, projectUid: project.uid, receivedAt, episodes: incoming };
    });
  }

  /** Most episodes of an event have their producer and metadata in common, and so their sets. */
  private async withSets(
    project: OpenProject,
    episodes: readonly DescribedEpisode[],
    tx: Transaction,
  ): Promise<IncomingEpisode[]> {
    const known = new Map<string, MemorySet[]>();
    const incoming: IncomingEpisode[] = [];
    for (const { uid, createdAt: saidAt, producerId, metadata, ingested = [] } of episodes) {
      const key = JSON.stringify([producerId, metadata]);
      const sets = known.get(key) ?? (await this.sets.setsOf(tx, project, { producerId, metadata }));
      known.set(key, sets);
      incoming.push({ uid, saidAt, sets: sets.map((set) => toIncoming(set, ingested)) });
    }
    return incoming;
  }
}

/** What came from elsewhere brings along what was learned from it there; it is not learned again. */
function toIncoming({ uid, projectUid, tags }: MemorySet, ingested: readonly IngestedSet[]): IncomingSet {
  const isOrgLevel = projectUid === undefined;
  const known = ingested.find((set) => set.isOrgLevel === isOrgLevel && hasSameTags(set.tags, tags));
  return { uid, isOrgLevel, ingested: known && (known.categories ?? 'all') };
}

const hasSameTags = (some: MemorySet['tags'], others: MemorySet['tags']): boolean =>
  Object.keys(some).length === Object.keys(others).length &&
  Object.entries(some).every(([tag, value]) => Object.hasOwn(others, tag) && others[tag] === value);

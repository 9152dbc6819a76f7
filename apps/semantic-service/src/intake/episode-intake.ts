import { describeEpisodes, type Episode, type EpisodesReference } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { type IncomingEpisode } from './backlog.js';
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
    episodes: readonly Episode[],
    tx: Transaction,
  ): Promise<IncomingEpisode[]> {
    const known = new Map<string, MemorySet[]>();
    const incoming: IncomingEpisode[] = [];
    for (const { uid, createdAt: saidAt, producerId, metadata } of episodes) {
      const key = JSON.stringify([producerId, metadata]);
      const sets = known.get(key) ?? (await this.sets.setsOf(tx, project, { producerId, metadata }));
      known.set(key, sets);
      incoming.push({
        uid,
        saidAt,
        sets: sets.map((set) => ({ uid: set.uid, isOrgLevel: set.projectUid === undefined })),
      });
    }
    return incoming;
  }
}

import { type AddedEpisodesEvent, describeEpisodes, type Episode, episodesAdded } from '@loci/contracts';
import { ConsumerRunner, type ReceivedMessage, RpcClient, semanticWorkerIntake } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { type IncomingEpisode } from './backlog.js';
import { IntakeService } from './intake.service.js';

/** Takes new episodes into the backlogs of their sets. */
@Injectable()
export class IntakeConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly consumers: ConsumerRunner,
    private readonly rpc: RpcClient,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly intake: IntakeService,
  ) {}

  onApplicationBootstrap(): void {
    this.consumers.run(semanticWorkerIntake, episodesAdded, async (messages) => {
      for (const message of messages) await this.take(message);
    });
  }

  private async take({ payload, publishedAt }: ReceivedMessage<AddedEpisodesEvent>): Promise<void> {
    if (!payload.types.includes('semantic')) return;
    const project = await this.projects.admitReference(payload);
    if (!project) return;
    const { tenant } = project;
    const { episodes } = await this.rpc.call(describeEpisodes, { tenant, uids: payload.uids });
    await this.intake.take(async (tx) => {
      await this.projects.hold(project, tx);
      const incoming = await this.withSets(project, episodes, tx);
      return { tenant, projectUid: project.uid, receivedAt: publishedAt, episodes: incoming };
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
